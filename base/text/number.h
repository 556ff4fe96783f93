// base/text/number.h - decimal numbers as text, the same in every locale.
#ifndef FORESEE_BASE_TEXT_NUMBER_H
#define FORESEE_BASE_TEXT_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NUMBER_SIZE 40 // room for any number and its 0

// The whole of `text` must be a number: a sign, digits, a fraction, an exponent; only digits must
// be there. False for anything else, for what a double cannot hold, and for inf and nan.
bool number_parse(const char *text, size_t length, double *out);
// The whole of `text` must be a sign and digits that fit 64 bits.
bool number_parse_integer(const char *text, size_t length, int64_t *out);
// The shortest text that reads back the same, always with a '.' or an exponent: 5.0, 0.1, 1e-09.
// Infinities and not-a-number come out as inf, -inf and nan, which no reader takes back.
size_t number_format(double value, char buffer[NUMBER_SIZE]);

#endif
