// tests/fuzz/replay_main.c - gives saved inputs to a fuzz target, where libFuzzer is not at hand.
//
// Arguments are files, or folders of files. Ends with 1 when there was nothing to replay.
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return -1;
    }
    size_t size = 0, capacity = 0;
    uint8_t *data = NULL;
    for (;;) {
        if (size == capacity) {
            capacity = capacity ? capacity * 2 : 4096;
            uint8_t *grown = realloc(data, capacity);
            if (!grown)
                abort();
            data = grown;
        }
        size_t n = fread(data + size, 1, capacity - size, file);
        if (n == 0)
            break;
        size += n;
    }
    fclose(file);
    // In a piece of just its size, so that a sanitizer sees a read past the end.
    uint8_t *exact = malloc(size ? size : 1);
    if (!exact)
        abort();
    for (size_t i = 0; i < size; i++)
        exact[i] = data[i];
    free(data);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    return 1;
}

static int replay(const char *path) {
    struct stat info;
    if (stat(path, &info) != 0) {
        perror(path);
        return -1;
    }
    if (!S_ISDIR(info.st_mode))
        return replay_file(path);
    DIR *folder = opendir(path);
    if (!folder) {
        perror(path);
        return -1;
    }
    int count = 0;
    for (struct dirent *entry; count >= 0 && (entry = readdir(folder));) {
        if (entry->d_name[0] == '.')
            continue;
        char inner[4096];
        snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        int n = replay(inner);
        count = n < 0 ? -1 : count + n;
    }
    closedir(folder);
    return count;
}

int main(int argc, char **argv) {
    int count = 0;
    for (int i = 1; i < argc; i++) {
        int n = replay(argv[i]);
        if (n < 0)
            return 1;
        count += n;
    }
    printf("%d inputs replayed\n", count);
    return count > 0 ? 0 : 1;
}
