// tests/bench/cliffs.c - see cliffs.h.
#include "tests/bench/cliffs.h"

#define SIDE 1000
#define TREE 8191
#define LINE 20000
#define SHORT_LINE 4000
#define SPOKES 1483
#define MANY 500000
#define GROUPS 50000
#define LINKS 20000
#define VARIABLES 700

static void three_sides(clauses *t) {
    for (int i = 0; i < SIDE; i++)
        put(t, "t(%d). a(%d).\nb(%d). c(%d).\n", i, i, i, i);
}

static void tree(clauses *t) {
    for (int i = 2; i <= TREE; i++)
        put(t, "par(%d,%d).\n", i, i / 2);
}

static void line(clauses *t) {
    for (int i = 1; i < LINE; i++)
        put(t, "edge(%d,%d).\n", i, i + 1);
    put(t, "src(10000).\nsrc(15000).\nsrc(19000).\n");
}

static void short_line(clauses *t) {
    for (int i = 1; i < SHORT_LINE; i++)
        put(t, "edge(%d,%d).\n", i, i + 1);
}

static void hub(clauses *t) {
    for (int i = 1; i <= SPOKES; i++)
        put(t, "e(0,%d).\ne(%d,0).\n", i, i);
}

static void five(clauses *t) {
    draw_from(3);
    for (int r = 1; r <= 5; r++) {
        for (int i = 0; i < 3000; i++)
            put(t, "r%d(%u,%u).\n", r, draw(600), draw(600));
    }
}

static void pointers(clauses *t) {
    draw_from(4);
    for (int i = 0; i < VARIABLES; i++)
        put(t, "addr(%u,%u).\n", draw(VARIABLES), draw(VARIABLES));
    for (int i = 0; i < VARIABLES * 3 / 2; i++)
        put(t, "assign(%u,%u).\n", draw(VARIABLES), draw(VARIABLES));
    for (int i = 0; i < 3; i++)
        put(t, "load(%u,%u).\nstore(%u,%u).\n", draw(VARIABLES), draw(VARIABLES), draw(VARIABLES),
            draw(VARIABLES));
}

static void many(clauses *t) {
    draw_from(5);
    for (int i = 0; i < MANY; i++)
        put(t, "v(%d,%u).\n", i, draw(1000));
}

static void grouped(clauses *t) {
    draw_from(6);
    for (int i = 0; i < MANY; i++)
        put(t, "g(%u,%d).\n", draw(GROUPS), i);
}

static void two_halves(clauses *t) {
    draw_from(7);
    for (int i = 0; i < MANY / 2; i++)
        put(t, "a(%u).\nb(%d,%u).\n", draw(MANY), i, draw(MANY));
}

static void links(clauses *t) {
    put(t, "p0(1). p0(2).\n");
    for (int i = 1; i <= LINKS; i++)
        put(t, "p%d(X) :- p%d(X).\n", i, i - 1);
}

const cliff CLIFFS[] = {
    {.name = "existence",
     .what = "goals of which one match is enough, a thousand rows each",
     .facts = three_sides,
     .rules = "hit(X) :- t(X), a(_), b(_), c(_).\n",
     .query = "N = count { X : hit(X) }.",
     .most = 0.030,
     .clingo = "answer(N) :- N = #count { X : hit(X) }.",
     .tables = "",
     .prolog_rules = "hit(X) :- t(X), once(a(_)), once(b(_)), once(c(_)).\n",
     .prolog = "aggregate_all(count, hit(_), N)",
     .souffle = ".decl t(x: number) .decl a(x: number) .decl b(x: number) .decl c(x: number)\n"
                ".decl hit(x: number)\nhit(x) :- t(x), a(_), b(_), c(_).\n"
                "answer(n) :- n = count : { hit(_) }.",
     .body = "t(X), a(_), b(_), c(_)"},
    {.name = "in_rule",
     .what = "same generation of two leaves of a tree of 8,191, in a rule",
     .facts = tree,
     .rules = "sg(X,Y) :- par(X,P), par(Y,P).\nsg(X,Y) :- par(X,A), sg(A,B), par(Y,B).\n"
              "asked(1) :- sg(4096,8191).\n",
     .query = "N = count { X : asked(X) }.",
     .most = 0.030,
     .tables = ":- table sg/2.",
     .prolog = "aggregate_all(count, asked(_), N)",
     .souffle = ".pragma \"magic-transform\" \"*\"\n.decl par(x: number, y: number)\n"
                ".decl sg(x: number, y: number)\n.decl asked(x: number)\n"
                "sg(x,y) :- par(x,p), par(y,p).\nsg(x,y) :- par(x,a), sg(a,b), par(y,b).\n"
                "asked(1) :- sg(4096,8191).\nanswer(n) :- n = count : { asked(_) }.",
     .body = "sg(4096, 8191), par(8191, X), par(X, Y)"},
    {.name = "by_key",
     .what = "how far three of 20,000 nodes reach: an aggregate asks by key",
     .facts = line,
     .rules = "path(X,Y) :- edge(X,Y).\npath(X,Y) :- path(X,Z), edge(Z,Y).\n"
              "far(X,N) :- src(X), N = count { Y : path(X,Y) }.\n",
     .query = "S = sum { N : far(_, N) }.",
     .most = 0.100,
     .tables = ":- table path/2.",
     .prolog_rules = "path(X,Y) :- edge(X,Y).\npath(X,Y) :- path(X,Z), edge(Z,Y).\n",
     .prolog = "aggregate_all(count, (src(X), path(X,_)), N)",
     .souffle = ".pragma \"magic-transform\" \"*\"\n.decl edge(x: number, y: number)\n"
                ".decl src(x: number)\n.decl path(x: number, y: number)\n"
                ".decl from(x: number, y: number)\npath(x,y) :- edge(x,y).\n"
                "path(x,y) :- path(x,z), edge(z,y).\nfrom(x,y) :- src(x), path(x,y).\n"
                "answer(n) :- n = count : { from(_,_) }.",
     .body = "src(X), N = count { Y : path(X, Y) }, N > 2"},
    {.name = "two_ends",
     .what = "what two of 4,000 nodes reach, left-recursive",
     .facts = short_line,
     .rules = "path(X,Y) :- edge(X,Y).\npath(X,Y) :- path(X,Z), edge(Z,Y).\n"
              "both(X) :- path(7,X), path(8,X).\n",
     .query = "N = count { X : both(X) }.",
     .most = 0.030,
     .tables = ":- table path/2.",
     .prolog = "aggregate_all(count, both(_), N)",
     .souffle = ".pragma \"magic-transform\" \"*\"\n.decl edge(x: number, y: number)\n"
                ".decl path(x: number, y: number)\n.decl both(x: number)\n"
                "path(x,y) :- edge(x,y).\npath(x,y) :- path(x,z), edge(z,y).\n"
                "both(x) :- path(7,x), path(8,x).\nanswer(n) :- n = count : { both(_) }.",
     .body = "path(7, X), path(8, X), edge(X, Y)"},
    {.name = "hub",
     .what = "two steps through one hub: 2.2 million pairs",
     .facts = hub,
     .rules = "two(X,Y) :- e(X,Z), e(Z,Y).\n",
     .query = "N = count { two(X, Y) }.",
     .clingo = "answer(N) :- N = #count { X,Y : two(X,Y) }.",
     .tables = ":- table two/2.",
     .prolog = "aggregate_all(count, two(_,_), N)",
     .souffle = ".decl e(x: number, y: number)\n.decl two(x: number, y: number)\n"
                "two(x,y) :- e(x,z), e(z,y).\nanswer(n) :- n = count : { two(_,_) }."},
    {.name = "five",
     .what = "a join of five relations of 3,000",
     .facts = five,
     .rules = "w(A,F) :- r1(A,B), r2(B,C), r3(C,D), r4(D,E), r5(E,F).\n",
     .query = "N = count { w(A, F) }.",
     .clingo = "answer(N) :- N = #count { A,F : w(A,F) }.",
     .tables = ":- table w/2.",
     .prolog = "aggregate_all(count, w(_,_), N)",
     .souffle = ".decl r1(x: number, y: number) .decl r2(x: number, y: number)\n"
                ".decl r3(x: number, y: number) .decl r4(x: number, y: number)\n"
                ".decl r5(x: number, y: number) .decl w(x: number, y: number)\n"
                "w(a,f) :- r1(a,b), r2(b,c), r3(c,d), r4(d,e), r5(e,f).\n"
                "answer(n) :- n = count : { w(_,_) }."},
    {.name = "andersen",
     .what = "what pointers point to, after Andersen",
     .facts = pointers,
     .rules = "pt(Y,X) :- addr(Y,X).\npt(Y,X) :- assign(Y,Z), pt(Z,X).\n"
              "pt(Y,W) :- load(Y,X), pt(X,Z), pt(Z,W).\npt(Z,W) :- store(Y,X), pt(Y,Z), pt(X,W).\n",
     .query = "N = count { pt(X, Y) }.",
     .clingo = "answer(N) :- N = #count { X,Y : pt(X,Y) }.",
     .tables = ":- table pt/2.",
     .prolog = "aggregate_all(count, pt(_,_), N)",
     .souffle = ".decl addr(x: number, y: number) .decl assign(x: number, y: number)\n"
                ".decl load(x: number, y: number) .decl store(x: number, y: number)\n"
                ".decl pt(x: number, y: number)\npt(y,x) :- addr(y,x).\n"
                "pt(y,x) :- assign(y,z), pt(z,x).\npt(y,w) :- load(y,x), pt(x,z), pt(z,w).\n"
                "pt(z,w) :- store(y,x), pt(y,z), pt(x,w).\nanswer(n) :- n = count : { pt(_,_) }."},
    {.name = "steps",
     .what = "a million steps of arithmetic, each on the one before",
     .rules = "n(0).\nn(Y) :- n(X), X < 1000000, Y = X + 1.\n",
     .query = "N = count { n(X) }.",
     .clingo = "answer(N) :- N = #count { X : n(X) }.",
     .tables = ":- table n/1.",
     .prolog_rules = "n(0).\nn(Y) :- n(X), X < 1000000, Y is X + 1.\n",
     .prolog = "aggregate_all(count, n(_), N)",
     .souffle = ".decl n(x: number)\nn(0).\nn(x + 1) :- n(x), x < 1000000.\n"
                "answer(m) :- m = count : { n(_) }."},
    {.name = "aggregates",
     .what = "maximum and sum of 500,000 facts",
     .facts = many,
     .rules = "",
     .query = "M = max { V : v(_, V) }, S = sum { V : v(_, V) }, N = M + S.",
     .clingo = "answer(M + S) :- M = #max { V : v(_,V) }, S = #sum { V,K : v(K,V) }.",
     .tables = "",
     .prolog = "aggregate_all(max(V), v(_,V), M), aggregate_all(sum(V), v(_,V), S), N is M + S",
     .souffle = ".decl v(k: number, v: number)\n"
                "answer(m + s) :- m = max x : { v(_,x) }, s = sum x : { v(_,x) }."},
    {.name = "groups",
     .what = "500,000 facts counted in 50,000 groups",
     .facts = grouped,
     .rules = "size(K,N) :- g(K,_), N = count { V : g(K,V) }.\n",
     .query = "S = sum { N : size(_, N) }.",
     .clingo_rules = "",
     .clingo = "size(K,N) :- g(K,_), N = #count { V : g(K,V) }.\n"
               "answer(S) :- S = #sum { N,K : size(K,N) }.",
     .tables = "",
     .prolog_rules = "size(K,N) :- aggregate(count, V^g(K,V), N).\n",
     .prolog = "aggregate_all(sum(M), size(_,M), N)",
     .souffle = ".decl g(k: number, v: number) .decl size(k: number, n: number)\n"
                "size(k,n) :- g(k,_), n = count : { g(k,_) }.\n"
                "answer(s) :- s = sum n : { size(_,n) }."},
    {.name = "negated",
     .what = "250,000 facts without those of 250,000 others",
     .facts = two_halves,
     .rules = "left(X,Y) :- b(X,Y), not a(Y).\n",
     .query = "N = count { left(X, Y) }.",
     .clingo = "answer(N) :- N = #count { X,Y : left(X,Y) }.",
     .tables = "",
     .prolog_rules = "left(X,Y) :- b(X,Y), \\+ a(Y).\n",
     .prolog = "aggregate_all(count, left(_,_), N)",
     .souffle =
         ".decl a(x: number) .decl b(x: number, y: number) .decl left(x: number, y: number)\n"
         "left(x,y) :- b(x,y), !a(y).\nanswer(n) :- n = count : { left(_,_) }."},
    {.name = "links",
     .what = "20,000 predicates in a chain",
     .facts = links,
     .rules = "",
     .query = "N = count { X : p20000(X) }.",
     .clingo = "answer(N) :- N = #count { X : p20000(X) }.",
     .tables = "",
     .prolog = "aggregate_all(count, p20000(_), N)"},
};
const size_t CLIFF_COUNT = sizeof CLIFFS / sizeof *CLIFFS;

clauses cliff_program(const cliff *c, const char *rules) {
    clauses t = {0};
    if (c->facts)
        c->facts(&t);
    put(&t, "%s", rules);
    return t;
}
