// report/view/library.c - three.js as Debian packages it, for pages that draw in three dimensions.
#include "report/view/library.h"

// Puts the bytes of a file behind a name, with a zero at the end.
#define FILE_AS_TEXT(name, file)                                                                   \
    __asm__(".pushsection .rodata\n.global " #name "\n.hidden " #name "\n" #name                   \
            ":\n.incbin \"" file "\"\n.byte 0\n.popsection\n")

FILE_AS_TEXT(library_three, THREE_FOLDER "/three.min.js");
FILE_AS_TEXT(library_orbit, THREE_FOLDER "/examples/js/controls/OrbitControls.js");
