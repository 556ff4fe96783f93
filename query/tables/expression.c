// query/tables/expression.c - computes expressions and patterns, and reads numbers as times.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/math/geom.h"
#include "base/text/number.h"
#include "query/tables/expression.h"

static value from_real(values *v, double x) {
    return isfinite(x) ? values_float(v, x) : VALUE_NONE;
}

static bool is_whole(value a) {
    return value_kind(a) == VALUE_INT || value_kind(a) == VALUE_WIDE;
}

// Converts seconds to nanoseconds. False: they do not fit.
static bool as_nanos(const values *v, value a, nanos *out) {
    double s;
    if (value_kind(a) == VALUE_TIME) {
        *out = value_nanos(a);
        return true;
    }
    if (!values_number(v, a, &s) || fabs(s) > SECONDS_MAX)
        return false;
    *out = nanos_from_seconds(s);
    return true;
}

static value whole_result(values *v, expr_op op, int64_t a, int64_t b) {
    int64_t r = 0;
    bool fits;
    switch (op) {
    case EXPR_ADD:
        fits = !__builtin_add_overflow(a, b, &r);
        break;
    case EXPR_SUBTRACT:
        fits = !__builtin_sub_overflow(a, b, &r);
        break;
    case EXPR_MULTIPLY:
        fits = !__builtin_mul_overflow(a, b, &r);
        break;
    case EXPR_MOD:
        fits = b != 0 && b != -1;
        if (b == -1)
            return values_int(v, 0);
        // The result has the sign of the divisor, as in mathematics.
        if (fits) {
            r = a % b;
            r += r != 0 && (r < 0) != (b < 0) ? b : 0;
        }
        break;
    default:
        return VALUE_NONE;
    }
    return fits ? values_int(v, r) : VALUE_NONE;
}

static value time_result(values *v, expr_op op, value a, value b) {
    nanos x, y;
    bool ta = value_kind(a) == VALUE_TIME, tb = value_kind(b) == VALUE_TIME;
    if (!as_nanos(v, a, &x) || !as_nanos(v, b, &y))
        return VALUE_NONE;
    switch (op) {
    case EXPR_ADD:
        return values_time(x + y);
    case EXPR_SUBTRACT:
        if (ta && tb)
            return from_real(v, (double)(x - y) / 1e9);
        return ta ? values_time(x - y) : VALUE_NONE;
    case EXPR_MIN:
        return values_time(x < y ? x : y);
    case EXPR_MAX:
        return values_time(x > y ? x : y);
    default:
        return VALUE_NONE;
    }
}

static value value_of_two(values *v, expr_op op, value a, value b) {
    double x, y;
    if (a == VALUE_NONE || b == VALUE_NONE || !values_number(v, a, &x) || !values_number(v, b, &y))
        return VALUE_NONE;
    bool timed = value_kind(a) == VALUE_TIME || value_kind(b) == VALUE_TIME;
    if (timed && (op == EXPR_ADD || op == EXPR_SUBTRACT || op == EXPR_MIN || op == EXPR_MAX))
        return time_result(v, op, a, b);
    bool whole = is_whole(a) && is_whole(b);
    switch (op) {
    case EXPR_ADD:
        return whole ? whole_result(v, op, values_integer(v, a), values_integer(v, b))
                     : from_real(v, x + y);
    case EXPR_SUBTRACT:
        return whole ? whole_result(v, op, values_integer(v, a), values_integer(v, b))
                     : from_real(v, x - y);
    case EXPR_MULTIPLY:
        return whole ? whole_result(v, op, values_integer(v, a), values_integer(v, b))
                     : from_real(v, x * y);
    case EXPR_DIVIDE:
        return from_real(v, x / y);
    case EXPR_MOD:
        if (whole)
            return whole_result(v, op, values_integer(v, a), values_integer(v, b));
        return y != 0 ? from_real(v, x - y * floor(x / y)) : VALUE_NONE;
    case EXPR_MIN:
        return values_compare(v, a, b) <= 0 ? a : b;
    case EXPR_MAX:
        return values_compare(v, a, b) >= 0 ? a : b;
    case EXPR_ATAN2:
        return from_real(v, atan2(x, y));
    case EXPR_POW:
        return from_real(v, pow(x, y));
    default:
        return VALUE_NONE;
    }
}

static value to_integer(values *v, double x) {
    const double most = 9223372036854775808.0; // 2^63
    return x >= -most && x < most ? values_int(v, (int64_t)x) : VALUE_NONE;
}

static value value_of_one(values *v, expr_op op, value a) {
    double x;
    if (a == VALUE_NONE || !values_number(v, a, &x))
        return VALUE_NONE;
    switch (op) {
    case EXPR_NEGATE:
        return is_whole(a) ? whole_result(v, EXPR_SUBTRACT, 0, values_integer(v, a))
                           : from_real(v, -x);
    case EXPR_ABS:
        if (value_kind(a) == VALUE_TIME)
            return values_time(value_nanos(a) < 0 ? -value_nanos(a) : value_nanos(a));
        if (is_whole(a))
            return values_integer(v, a) < 0
                       ? whole_result(v, EXPR_SUBTRACT, 0, values_integer(v, a))
                       : a;
        return from_real(v, fabs(x));
    case EXPR_SQRT:
        return from_real(v, sqrt(x));
    case EXPR_SIN:
        return from_real(v, sin(x));
    case EXPR_COS:
        return from_real(v, cos(x));
    case EXPR_TAN:
        return from_real(v, tan(x));
    case EXPR_ASIN:
        return from_real(v, asin(x));
    case EXPR_ACOS:
        return from_real(v, acos(x));
    case EXPR_ATAN:
        return from_real(v, atan(x));
    case EXPR_EXP:
        return from_real(v, exp(x));
    case EXPR_LOG:
        return from_real(v, log(x));
    case EXPR_FLOOR:
        return to_integer(v, floor(x));
    case EXPR_CEIL:
        return to_integer(v, ceil(x));
    case EXPR_ROUND:
        return to_integer(v, round(x));
    case EXPR_INT:
        return to_integer(v, trunc(x));
    case EXPR_FLOAT:
    case EXPR_SECONDS:
        return from_real(v, x);
    case EXPR_RADIANS:
        return from_real(v, x * PI / 180);
    case EXPR_DEGREES:
        return from_real(v, x * 180 / PI);
    default:
        return VALUE_NONE;
    }
}

value expr_value(values *v, const expr *e, const value *env) {
    switch (e->op) {
    case EXPR_CONST:
        return e->constant;
    case EXPR_VAR:
        return env[e->var];
    case EXPR_TERM:
        return pattern_value(v, e->term, env);
    default:
        if (!e->args[1])
            return value_of_one(v, e->op, expr_value(v, e->args[0], env));
        return value_of_two(v, e->op, expr_value(v, e->args[0], env),
                            expr_value(v, e->args[1], env));
    }
}

value expr_misfit(values *v, const expr *e, const value *env) {
    double number;
    if (e->op == EXPR_CONST || e->op == EXPR_VAR || e->op == EXPR_TERM) {
        value x = expr_value(v, e, env);
        return x == VALUE_NONE || values_number(v, x, &number) ? VALUE_NONE : x;
    }
    for (size_t i = 0; i < 2 && e->args[i]; i++) {
        value wrong = expr_misfit(v, e->args[i], env);
        if (wrong != VALUE_NONE)
            return wrong;
    }
    return VALUE_NONE;
}

value pattern_value(values *v, const pattern *p, const value *env) {
    if (p->kind == PATTERN_CONST)
        return p->constant;
    if (p->kind == PATTERN_VAR)
        return env[p->var];
    value small[8], *args = p->arity <= 8 ? small : malloc(p->arity * sizeof *args);
    if (!args)
        return VALUE_NONE;
    bool ok = true;
    for (uint32_t i = 0; i < p->arity && ok; i++) {
        args[i] = pattern_value(v, p->args[i], env);
        ok = args[i] != VALUE_NONE;
    }
    value made = ok ? values_compound_of(v, p->constant, p->arity, args) : VALUE_NONE;
    if (args != small)
        free(args);
    return made;
}

bool pattern_match(const values *v, const pattern *p, value x, value *env) {
    switch (p->kind) {
    case PATTERN_CONST:
        return p->constant == x;
    case PATTERN_VAR:
        if (env[p->var] == VALUE_NONE)
            env[p->var] = x;
        return env[p->var] == x;
    case PATTERN_COMPOUND:
        break;
    }
    if (value_kind(x) != VALUE_COMPOUND || values_arity(v, x) != p->arity ||
        values_functor(v, x) != p->constant)
        return false;
    const value *args = values_args(v, x);
    for (uint32_t i = 0; i < p->arity; i++) {
        if (!pattern_match(v, p->args[i], args[i], env))
            return false;
    }
    return true;
}

bool value_rounds_to(const values *v, value x, value written) {
    double at;
    if (value_kind(x) != VALUE_TIME || !value_is_number(written))
        return values_same(v, x, written);
    values_number(v, written, &at);
    if (fabs(at) > SECONDS_MAX)
        return false;
    // Milliseconds, or the decimals written when there are more.
    int decimals = 3;
    if (value_kind(written) == VALUE_FLOAT) {
        char text[NUMBER_SIZE];
        number_format(at, text);
        const char *point = strchr(text, '.');
        int written_decimals = point && !strchr(text, 'e') ? (int)strlen(point + 1) : 0;
        decimals = strchr(text, 'e')             ? 9
                   : written_decimals > decimals ? written_decimals
                                                 : decimals;
    }
    nanos unit = 1;
    for (int i = decimals; i < 9; i++)
        unit *= 10;
    nanos low = nanos_from_seconds(at) - unit / 2;
    return unit == 1 ? value_nanos(x) == low : value_nanos(x) >= low && value_nanos(x) < low + unit;
}

value value_as_time(const values *v, value x) {
    nanos t;
    return value_is_number(x) && as_nanos(v, x, &t) ? values_time(t) : x;
}
