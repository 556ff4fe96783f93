// query/prepared/cut_files.h - rule files that were cut into clauses and directives when foresee
// was built.
//
// To find where the clauses of the shipped files stand and what their directives say takes as long
// as many a question. The build does it once and keeps, for each file, what it found beside a hash
// of the file's text (prepared_files in prepared.h). A library of the same text is filled in from
// there; its clauses are read from the text when something asks for them, as those of any library.
//
// Invariant: a file that is filled in is the same as one that is cut.
#ifndef FORESEE_QUERY_CUT_FILES_H
#define FORESEE_QUERY_CUT_FILES_H

#include "query/prepared/prepared.h"

// Appends what the only file of a program, a library, was cut into. E_INPUT with a sentence in
// *err: the file has what cannot be kept.
status cut_files_write(program *p, text_buffer *out, error *err);
// Fills in a source that has only its text, and gives the program what its directives say, from
// `files`. False: there is no file of this text among them, and nothing has changed.
bool cut_files_read(program *p, rule_source *s, const prepared_bytes *files);
// The same from the files that the build kept: program.fill_in.
bool cut_files_fill_in(program *p, rule_source *s);

#endif
