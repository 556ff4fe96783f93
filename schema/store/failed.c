// schema/store/failed.c - what a failed call of SQLite means, as a status and a sentence.
#include <errno.h>
#include <string.h>

#include "schema/store/store.h"

// Returns the error of the system when a file of the database last failed, 0 for none. SQLite
// passes it on from some of its paths only; the files remember it.
static int system_reason(sqlite3 *db) {
    int why = sqlite3_system_errno(db);
    sqlite3_file *journal = NULL;
    if (!why)
        sqlite3_file_control(db, "main", SQLITE_FCNTL_LAST_ERRNO, &why);
    if (!why &&
        sqlite3_file_control(db, "main", SQLITE_FCNTL_JOURNAL_POINTER, &journal) == SQLITE_OK &&
        journal && journal->pMethods)
        journal->pMethods->xFileControl(journal, SQLITE_FCNTL_LAST_ERRNO, &why);
    return why;
}

status store_failed(sqlite3 *db, const char *path, const char *doing, error *err) {
    int code = db ? sqlite3_extended_errcode(db) : SQLITE_NOMEM;
    int why = db && ((code & 0xff) == SQLITE_IOERR || (code & 0xff) == SQLITE_CANTOPEN)
                  ? system_reason(db)
                  : 0;
    if (db && (!path || !*path))
        path = sqlite3_db_filename(db, "main");
    if (!path)
        path = "";
    bool no_room = why == ENOSPC || why == EFBIG || why == EDQUOT;
    switch (code & 0xff) {
    case SQLITE_FULL:
        return error_at(err, E_FULL, path, 0, 0,
                        "%s failed, for no space is left (disk full, or a limit on file sizes)",
                        doing);
    case SQLITE_NOMEM:
        return error_at(err, E_MEMORY, path, 0, 0, "%s failed, for no memory is left", doing);
    case SQLITE_INTERRUPT:
        return error_at(err, E_INTERRUPTED, path, 0, 0, "%s was interrupted", doing);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_MISMATCH:
        return error_at(err, E_INPUT, path, 0, 0, "%s failed, for the file is damaged (%s)", doing,
                        sqlite3_errmsg(db));
    case SQLITE_SCHEMA:
    case SQLITE_ERROR:
        return error_at(err, E_INPUT, path, 0, 0,
                        "%s failed, for the file holds other tables than it should (%s)", doing,
                        sqlite3_errmsg(db));
    case SQLITE_TOOBIG:
        return error_at(err, E_INPUT, path, 0, 0, "%s failed, for a value is longer than 64 MiB",
                        doing);
    case SQLITE_CONSTRAINT:
        return error_at(err, E_ORDER, path, 0, 0, "%s failed, for two records have one id (%s)",
                        doing, sqlite3_errmsg(db));
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return error_at(err, E_IO, path, 0, 0, "%s failed, for another program is writing the file",
                        doing);
    case SQLITE_IOERR:
        if (no_room)
            return error_at(err, E_FULL, path, 0, 0, "%s failed: %s", doing, strerror(why));
        break;
    default:
        break;
    }
    return error_at(err, E_IO, path, 0, 0, "%s failed: %s%s%s", doing, sqlite3_errmsg(db),
                    why ? ", " : "", why ? strerror(why) : "");
}
