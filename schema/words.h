// schema/words.h - words that stand in many rows of a log, as single characters.
//
// Columns of closed sets of words (WORD in record.def) take a character for each of these, and any
// other word as it is. No such character begins a name, so that columns of names may have them,
// too. A log holds them: they keep their meaning, and others are only added. The views show the
// words.
#ifndef FORESEE_SCHEMA_WORDS_H
#define FORESEE_SCHEMA_WORDS_H

#include <sqlite3.h>

#define WORDS_EACH(W)                                                                              \
    W("!", "odometry")                                                                             \
    W("$", "encoders")                                                                             \
    W("%", "wrench")                                                                               \
    W("&", "gripper")                                                                              \
    W("*", "torques")                                                                              \
    W("+", "tracker")                                                                              \
    W(",", "position")                                                                             \
    W("-", "velocity")                                                                             \
    W(".", "torque")                                                                               \
    W("/", "impedance")                                                                            \
    W(":", "force")                                                                                \
    W(";", "localisation")                                                                         \
    W("<", "percept")                                                                              \
    W("=", "at")                                                                                   \
    W(">", "RobotPos")                                                                             \
    W("?", "PosAccuracy")

// SQL that gives the word of a column, for those who have no function `word`.
#define WORDS_WHEN(sign, word) " WHEN '" sign "' THEN '" word "'"
#define WORDS_SQL(column) "CASE " column WORDS_EACH(WORDS_WHEN) " ELSE " column " END"

// Returns the text that stands for a word in the file: one character, or the word itself.
const char *words_pack(const char *word);
// Returns the word that a text of the file stands for.
const char *words_unpack(const char *packed);
// Adds the SQL function word(text) to a connection: the word that a text stands for, any other
// value as it is.
int words_register(sqlite3 *db);

#endif
