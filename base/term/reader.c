// base/term/reader.c - text to terms: a Pratt parser over the tokens of lexer.c.
#include "base/term/lexer.h"
#include "base/text/number.h"

#define DEPTH_MAX 200

static const operator_info INFIX[] = {
    {":-", 1200, 1199, 1199}, {";", 1100, 1099, 1100}, {",", 1000, 999, 1000}, {"=", 700, 699, 699},
    {"!=", 700, 699, 699},    {"<", 700, 699, 699},    {"<=", 700, 699, 699},  {">", 700, 699, 699},
    {">=", 700, 699, 699},    {"is", 700, 699, 699},   {"+", 500, 500, 499},   {"-", 500, 500, 499},
    {"*", 400, 400, 399},     {"/", 400, 400, 399},    {"mod", 400, 400, 399},
};
static const operator_info PREFIX[] = {
    {":-", 1200, 0, 1199},
    {"not", 900, 0, 900},
    {"why", 900, 0, 900},
    {"-", 200, 0, 200},
};
static const char *const AGGREGATES[] = {"count", "sum", "min", "max", "avg", "list"};
#define COUNT(array) (sizeof(array) / sizeof *(array))

const operator_info *operator_infix(const char *text) {
    for (size_t i = 0; i < COUNT(INFIX); i++) {
        if (INFIX[i].text[0] == text[0] && strcmp(INFIX[i].text, text) == 0)
            return &INFIX[i];
    }
    return NULL;
}

const operator_info *operator_prefix(const char *text) {
    for (size_t i = 0; i < COUNT(PREFIX); i++) {
        if (PREFIX[i].text[0] == text[0] && strcmp(PREFIX[i].text, text) == 0)
            return &PREFIX[i];
    }
    return NULL;
}

bool operator_is_word(const char *text) {
    return strcmp(text, "not") == 0 || strcmp(text, "why") == 0 || strcmp(text, "is") == 0 ||
           strcmp(text, "mod") == 0;
}

bool aggregate_is_known(const char *text) {
    for (size_t i = 0; i < COUNT(AGGREGATES); i++) {
        if (strcmp(AGGREGATES[i], text) == 0)
            return true;
    }
    return false;
}

static bool is_lower(char c) {
    return c >= 'a' && c <= 'z';
}

typedef struct parser {
    reader *r;
    token now;
    reader before; // where the token before `now` ended
    error *err;
    status failed;
    int depth;
    int open; // brackets that `now` and the tokens before it leave open
} parser;

// Depth of a term, for the limit; a list is as deep as its deepest item, however long.
typedef struct parsed {
    term *t; // NULL after an error
    int depth;
} parsed;
static const parsed NOTHING = {NULL, 0};

static parsed parse_term(parser *p, int priority);

// Returns how many brackets the token opens; -1: it closes one.
static int brackets_of(const token *t) {
    char sign = t->kind == TOKEN_SIGN ? t->text[0] : 0;
    return (sign == '(' || sign == '[' || sign == '{') -
           (sign == ')' || sign == ']' || sign == '}');
}

static void next_token(parser *p) {
    p->before = *p->r;
    p->now = lex_token(p->r);
    p->open += brackets_of(&p->now);
}

static bool at_sign(const parser *p, const char *text) {
    return p->now.kind == TOKEN_SIGN && strcmp(p->now.text, text) == 0;
}

static const char *token_describe(const parser *p, char *buffer, size_t size) {
    switch (p->now.kind) {
    case TOKEN_END:
        return "the end of the text";
    case TOKEN_STOP:
        return "'.'";
    case TOKEN_STRING:
        snprintf(buffer, size, "the string \"%.40s\"", p->now.text);
        return buffer;
    default:
        snprintf(buffer, size, "'%.40s'", p->now.text);
        return buffer;
    }
}

static parsed fail_at(parser *p, const token *where, const char *text) {
    if (p->failed == OK)
        p->failed = error_at(p->err, E_INPUT, p->r->file, where->line, where->column, "%s", text);
    return NOTHING;
}

static parsed fail_expected(parser *p, const char *expected) {
    if (p->now.kind == TOKEN_BAD)
        return fail_at(p, &p->now, p->now.text);
    char found[64], text[256];
    snprintf(text, sizeof text, "expected %s, found %s", expected,
             token_describe(p, found, sizeof found));
    return fail_at(p, &p->now, text);
}

static term *term_at(parser *p, const token *where, term_kind kind, const char *text) {
    term *t = arena_alloc(p->r->arena, sizeof *t);
    t->kind = kind;
    t->line = where->line;
    t->column = where->column;
    t->text = text;
    return t;
}

static parsed make_term(parser *p, const token *where, const char *functor, const parsed *args,
                        uint32_t arity) {
    term *t = term_at(p, where, TERM_COMPOUND, functor);
    const term **copy = arena_alloc(p->r->arena, arity * sizeof *copy);
    int depth = 0;
    for (uint32_t i = 0; i < arity; i++) {
        copy[i] = args[i].t;
        depth = args[i].depth > depth ? args[i].depth : depth;
    }
    t->arity = arity;
    t->args = copy;
    if (depth + 1 > DEPTH_MAX)
        return fail_at(p, where, "the term is nested more than 200 deep");
    return (parsed){t, depth + 1};
}

static parsed parse_number(parser *p, bool negative) {
    token where = p->now;
    const char *text = where.text;
    term *t;
    if (strpbrk(text, ".eE")) {
        t = term_at(p, &where, TERM_FLOAT, NULL);
        double value;
        if (!number_parse(text, strlen(text), &value))
            return fail_at(p, &where, "this number is too large");
        t->real = negative ? -value : value;
    } else {
        // With its sign, because the least integer has no positive twin.
        const char *all = negative ? arena_format(p->r->arena, "-%s", text) : text;
        t = term_at(p, &where, TERM_INT, NULL);
        if (!number_parse_integer(all, strlen(all), &t->integer))
            return fail_at(p, &where, "this integer does not fit 64 bits; write it with a '.'");
    }
    next_token(p);
    return (parsed){t, 0};
}

typedef ARRAY(parsed) parsed_list;

// Reads the items between `(` or `[`, which is passed already, and its end, which is not.
static bool parse_items(parser *p, parsed_list *items) {
    for (;;) {
        parsed item = parse_term(p, PRIORITY_ARGUMENT);
        if (!item.t)
            return false;
        array_push(items, item);
        if (!at_sign(p, ","))
            return true;
        next_token(p);
    }
}

static parsed parse_call(parser *p, const token *name) {
    parsed_list args = {0};
    parsed result = NOTHING;
    next_token(p);
    if (at_sign(p, ")")) {
        result = fail_at(p, &p->now, "a name without arguments has no (); write the name alone");
        goto done;
    }
    if (!parse_items(p, &args))
        goto done;
    if (!at_sign(p, ")")) {
        result = fail_expected(p, "',' or ')'");
        goto done;
    }
    next_token(p);
    result = make_term(p, name, name->text, args.items, (uint32_t)args.count);
done:
    array_finish(&args);
    return result;
}

static parsed parse_list(parser *p) {
    token where = p->now;
    parsed_list items = {0};
    parsed result = NOTHING, tail = NOTHING;
    next_token(p);
    if (at_sign(p, "]")) {
        next_token(p);
        return (parsed){term_at(p, &where, TERM_SYMBOL, "[]"), 0};
    }
    if (!parse_items(p, &items))
        goto done;
    if (at_sign(p, "|")) {
        next_token(p);
        tail = parse_term(p, PRIORITY_ARGUMENT);
        if (!tail.t)
            goto done;
    }
    if (!at_sign(p, "]")) {
        result = fail_expected(p, tail.t ? "']'" : "',', '|' or ']'");
        goto done;
    }
    int depth = tail.depth;
    const term **terms = arena_alloc(p->r->arena, items.count * sizeof *terms);
    for (size_t i = 0; i < items.count; i++) {
        terms[i] = items.items[i].t;
        if (items.items[i].depth + 1 > depth)
            depth = items.items[i].depth + 1;
    }
    if (depth > DEPTH_MAX) {
        result = fail_at(p, &where, "the term is nested more than 200 deep");
        goto done;
    }
    next_token(p);
    // Its cells were made here and belong to this reading: the place can still be set.
    term *list = (term *)(uintptr_t)term_list(p->r->arena, terms, items.count, tail.t);
    list->line = where.line;
    list->column = where.column;
    result = (parsed){list, depth};
done:
    array_finish(&items);
    return result;
}

static parsed parse_aggregate(parser *p, const token *name) {
    parsed args[3] = {{term_at(p, name, TERM_SYMBOL, name->text), 0},
                      {term_at(p, name, TERM_SYMBOL, "_"), 0},
                      NOTHING};
    next_token(p);
    args[2] = parse_term(p, PRIORITY_BRACED);
    if (!args[2].t)
        return NOTHING;
    bool templated = at_sign(p, ":");
    if (templated) {
        next_token(p);
        args[1] = args[2];
        args[2] = parse_term(p, PRIORITY_BRACED);
        if (!args[2].t)
            return NOTHING;
    }
    if (!at_sign(p, "}"))
        return fail_expected(p, templated ? "'}'" : "':' or '}'");
    next_token(p);
    return make_term(p, name, "{}", args, 3);
}

// Returns whether a term can begin at the present token; otherwise `not` or `why` is a mere symbol.
static bool term_begins(const parser *p) {
    switch (p->now.kind) {
    case TOKEN_END:
    case TOKEN_STOP:
        return false;
    case TOKEN_SIGN:
        return at_sign(p, "(") || at_sign(p, "[") || at_sign(p, "-");
    case TOKEN_SYMBOL:
        return p->now.opens || !operator_infix(p->now.text);
    default:
        return true;
    }
}

static parsed parse_prefix(parser *p, const token *name, const operator_info *op, int priority) {
    if (op->priority > priority) {
        char text[128];
        snprintf(text, sizeof text, "'%s' binds too loosely to stand here; put it in ( )",
                 op->text);
        return fail_at(p, name, text);
    }
    parsed operand = parse_term(p, op->right);
    return operand.t ? make_term(p, name, op->text, &operand, 1) : NOTHING;
}

static parsed parse_name(parser *p, int priority, int *left) {
    token name = p->now;
    bool opens = name.opens;
    next_token(p);
    if (name.kind == TOKEN_SYMBOL) {
        const operator_info *op = operator_prefix(name.text);
        if (op && term_begins(p)) {
            *left = op->priority;
            return parse_prefix(p, &name, op, priority);
        }
        if (at_sign(p, "{") && aggregate_is_known(name.text))
            return parse_aggregate(p, &name);
    }
    if (opens)
        return parse_call(p, &name);
    if (at_sign(p, "("))
        return fail_at(p, &p->now, "no blank may stand between a name and its '('");
    return (parsed){term_at(p, &name, TERM_SYMBOL, name.text), 0};
}

static parsed parse_primary(parser *p, int priority, int *left) {
    token where = p->now;
    switch (where.kind) {
    case TOKEN_NUMBER:
        return parse_number(p, false);
    case TOKEN_STRING:
        next_token(p);
        return (parsed){term_at(p, &where, TERM_STRING, where.text), 0};
    case TOKEN_VAR:
        next_token(p);
        if (where.opens)
            return fail_at(p, &where, "a variable cannot stand before '('; names begin small");
        if (strcmp(where.text, "_") == 0)
            where.text = arena_format(p->r->arena, "_#%u", ++p->r->fresh);
        return (parsed){term_at(p, &where, TERM_VAR, where.text), 0};
    case TOKEN_SYMBOL:
    case TOKEN_QUOTED:
        return parse_name(p, priority, left);
    case TOKEN_SIGN:
        break;
    default:
        return fail_expected(p, "a term");
    }
    if (at_sign(p, "(")) {
        next_token(p);
        parsed inner = parse_term(p, PRIORITY_MAX);
        if (!inner.t)
            return NOTHING;
        if (!at_sign(p, ")"))
            return fail_expected(p, "')'");
        next_token(p);
        return inner;
    }
    if (at_sign(p, "["))
        return parse_list(p);
    const operator_info *op = operator_prefix(where.text);
    if (!op && at_sign(p, "="))
        return fail_at(p, &where, "expected a term, found '='; two values are compared by one '='");
    if (!op)
        return fail_expected(p, "a term");
    next_token(p);
    if (strcmp(op->text, "-") == 0 && p->now.kind == TOKEN_NUMBER) {
        parsed number = parse_number(p, true);
        if (number.t) {
            number.t->line = where.line;
            number.t->column = where.column;
        }
        return number;
    }
    *left = op->priority;
    return parse_prefix(p, &where, op, priority);
}

static const operator_info *infix_now(const parser *p) {
    if (p->now.kind != TOKEN_SIGN && p->now.kind != TOKEN_SYMBOL)
        return NULL;
    return operator_infix(p->now.text);
}

// Returns whether the present token is the first of its line, at its very begin: no clause that
// people write goes on there, but another begins.
static bool at_line_begin(const parser *p) {
    return p->now.column == 1 && p->now.line > p->before.line;
}

bool reader_directive_behind(const reader *r, size_t ahead) {
    size_t n = ahead, word;
    while (reader_look(r, n) == ' ')
        n++;
    word = n;
    while (name_goes_on(reader_look(r, n)))
        n++;
    if (!is_lower(reader_look(r, word)) || reader_look(r, n) != ' ' ||
        (n == word + 3 && memcmp(r->text + r->at + word, "not", 3) == 0))
        return false;
    while (reader_look(r, n) == ' ')
        n++;
    char next = reader_look(r, n);
    return is_lower(next) || next == '"';
}

// Returns whether a directive begins with the `:-` at the begin of this line.
static bool directive_begins(const parser *p) {
    return at_line_begin(p) && at_sign(p, ":-") && reader_directive_behind(p->r, 0);
}

static parsed fail_behind(parser *p, const char *why) {
    const token where = {.line = p->before.line, .column = p->before.column};
    return fail_at(p, &where, why);
}

static parsed parse_loop(parser *p, int priority) {
    int left = 0; // the priority of what has been read so far
    parsed result = parse_primary(p, priority, &left);
    while (result.t) {
        const operator_info *op = infix_now(p);
        if (!op || op->priority > priority)
            break;
        if (left > op->left ? at_line_begin(p) : directive_begins(p))
            break; // a directive on a line of its own: the clause before it has no end
        if (left > op->left) {
            char text[128];
            snprintf(text, sizeof text, "'%s' cannot follow here without parentheses", op->text);
            return fail_at(p, &p->now, text);
        }
        token where = p->now;
        next_token(p);
        parsed sides[2] = {result, parse_term(p, op->right)};
        if (!sides[1].t)
            return NOTHING;
        result = make_term(p, &where, op->text, sides, 2);
        left = op->priority;
    }
    return result;
}

static parsed parse_term(parser *p, int priority) {
    // The text's own nesting is limited too: parentheses cost stack and leave no depth.
    if (p->depth >= 2 * DEPTH_MAX)
        return fail_at(p, &p->now, "the term is nested more than 200 deep");
    p->depth++;
    parsed result = parse_loop(p, priority);
    p->depth--;
    return result;
}

void reader_init(reader *r, arena *a, const char *file, const char *text, size_t length, int line,
                 int column) {
    *r = (reader){
        .file = file, .text = text, .length = length, .line = line, .column = column, .arena = a};
}

// What was read is whole, and something stands behind it that does not go on with it. Where that
// stands on a later line, it is this one that lacks something.
static void fail_going_on(parser *p, const char *expected) {
    if (p->now.kind == TOKEN_END && p->now.line > p->before.line)
        fail_behind(p, "the clause ends without a '.'");
    else if (p->now.kind == TOKEN_SYMBOL && at_line_begin(p))
        fail_behind(p, "this ends without a '.'");
    else if (p->now.kind == TOKEN_SYMBOL && p->now.line > p->before.line)
        fail_behind(p, "this line ends without a ',' or an operator, and the next one goes on");
    else
        fail_expected(p, expected);
}

bool reader_goes_on(const reader *r, int open) {
    reader ahead = *r;
    token t;
    do {
        t = lex_token(&ahead);
        open += brackets_of(&t);
    } while (t.kind != TOKEN_STOP && t.kind != TOKEN_END);
    return t.kind == TOKEN_STOP && open == 0;
}

bool reader_stopped(const reader *r) {
    size_t n = r->at;
    while (n > 0 && strchr(" \t\r\n", r->text[n - 1]))
        n--;
    return n > 0 && r->text[n - 1] == '.';
}

// Moves behind the '.' that ends a clause that cannot be read.
static void pass_rest(parser *p) {
    for (; p->now.kind != TOKEN_END; next_token(p)) {
        if (p->now.kind == TOKEN_STOP && (p->open <= 0 || !reader_goes_on(p->r, p->open)))
            return;
        if (p->now.kind == TOKEN_BAD && reader_stopped(p->r))
            return; // the quote that is not closed has run over it
    }
}

status reader_clause(reader *r, const term **out, error *err) {
    parser p = {.r = r, .err = err};
    next_token(&p);
    if (p.now.kind == TOKEN_END) {
        *out = NULL;
        return OK;
    }
    parsed clause = parse_term(&p, PRIORITY_MAX);
    if (clause.t && p.now.kind == TOKEN_STOP) {
        *out = clause.t;
        return OK;
    }
    // A new clause begins where this one goes on: it is this one that lacks its end, and the next
    // one is read.
    if (clause.t && p.now.kind != TOKEN_END && p.now.kind != TOKEN_BAD && at_line_begin(&p)) {
        fail_behind(&p, "the clause ends without a '.'");
        *p.r = p.before;
        return p.failed;
    }
    if (clause.t)
        fail_going_on(&p, "an operator or '.'");
    pass_rest(&p);
    return p.failed;
}

status term_parse(arena *a, const char *file, const char *text, size_t length, int line, int column,
                  const term **out, error *err) {
    reader r;
    reader_init(&r, a, file, text, length, line, column);
    return reader_whole(&r, out, err);
}

status reader_whole(reader *r, const term **out, error *err) {
    parser p = {.r = r, .err = err};
    next_token(&p);
    parsed whole = parse_term(&p, PRIORITY_MAX);
    if (!whole.t)
        return p.failed;
    bool stopped = p.now.kind == TOKEN_STOP;
    if (stopped)
        next_token(&p);
    if (p.now.kind != TOKEN_END && stopped)
        fail_expected(&p, "the end");
    else if (p.now.kind != TOKEN_END)
        fail_going_on(&p, "an operator or the end");
    if (p.now.kind != TOKEN_END)
        return p.failed;
    *out = whole.t;
    return OK;
}
