// schema/numbers.h - lists of numbers as texts of few bytes, which plain SQL can read.
//
// Readings are many, and most of a log: "[0.34991, -0.00003, none]". In the file such a list is
// "#", a letter that says how to read the rest, and one character for each number. Its code point,
// less 36, and for those past the surrogates less 10,240 more, is 0 for none, 2 n + 1 for a number
// of n units, and 2 |n| for a negative one. The letter is A plus the decimals of a unit, plus 10
// where each number is the difference from the one before it, plus 20 for "pose(...)" instead of
// "[...]". The views have this as SQL (NUMBERS in views.def).
#ifndef FORESEE_SCHEMA_NUMBERS_H
#define FORESEE_SCHEMA_NUMBERS_H

#include <sqlite3.h>

// Returns the packed text, which numbers_unpack turns back to the last character. NULL: this text
// is not such a list, or has too many digits, or no memory is left; it is kept as it is. The caller
// frees.
char *numbers_pack(const char *text);
// Returns the list of a packed text. NULL: it is none, or no memory is left. The caller frees.
char *numbers_unpack(const char *packed);
// Adds three SQL functions to a connection. numbers(text): the list of a packed text; fixed(units,
// scale): the number that a column of units of 1 / scale holds. Both give any other value as it is,
// so that who reads it sees that it is none of these. planar(x, y, qw, qz): the term pose(X, Y,
// Yaw) to 0.1 mm and 0.1 mrad, of a pose on the ground in units of 1e-6; NULL of anything else.
int numbers_register(sqlite3 *db);

#endif
