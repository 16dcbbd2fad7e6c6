/* Measures BE-Tree with the selectors and messages of one workload of tests/rows.
 *
 * Usage: be-tree-anchor FILE COMPARED BUILD_SECONDS SECONDS
 *
 * FILE has three parts with an empty line between them: attributes (`NAME LEAST GREATEST`, all
 * integers and in all messages), selectors in BE-Tree's language, and messages (the value of each
 * attribute, separated by tabs). Prints the numbers of the selectors that are true for each of the
 * first COMPARED messages, a line each, and then the nanoseconds that a message takes; or `late` if
 * adding the selectors takes more than BUILD_SECONDS.
 */
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "betree.h"
#include "tree.h"

#define NANOS_PER_SECOND 1000000000LL

/* How many selectors a leaf has before it is split. With 6 equalities, 3 was the fastest of 1, 3, 10,
 * 30, 100 and 255. */
#define LEAF 3

struct lines {
    char* next;
    char* end;
};

struct messages {
    const struct betree_variable*** values; /* of each message, in the order of the attributes */
    size_t count;
    size_t attributes;
};

static void fail(const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("be-tree-anchor: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

static void* allocated(void* memory)
{
    if (memory == NULL) {
        fail("out of memory");
    }
    return memory;
}

static long long nanos(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * NANOS_PER_SECOND + now.tv_nsec;
}

static struct lines read_lines(const char* path)
{
    FILE* file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        fail("cannot read %s", path);
    }
    long length = ftell(file);
    rewind(file);
    char* text = allocated(malloc((size_t)length + 1));
    if (fread(text, 1, (size_t)length, file) != (size_t)length) {
        fail("cannot read %s", path);
    }
    fclose(file);
    text[length] = '\0';
    return (struct lines) { text, text + length };
}

/* The next line of this part of the file; NULL after the last one. */
static char* next_line(struct lines* lines)
{
    if (lines->next >= lines->end) {
        return NULL;
    }
    char* line = lines->next;
    char* newline = strchr(line, '\n');
    if (newline == NULL) {
        fail("expected a line feed after %s", line);
    }
    *newline = '\0';
    lines->next = newline + 1;
    return newline == line ? NULL : line;
}

static void add_attributes(struct betree* tree, struct lines* lines)
{
    for (char* line = next_line(lines); line != NULL; line = next_line(lines)) {
        char name[64];
        long long least;
        long long greatest;
        if (sscanf(line, "%63s %lld %lld", name, &least, &greatest) != 3) {
            fail("expected NAME LEAST GREATEST, found %s", line);
        }
        betree_add_integer_variable(tree, name, false, least, greatest);
    }
}

/* Makes all selectors before it inserts any, as BE-Tree's README says. False if it takes too long. */
static bool add_selectors(struct betree* tree, struct lines* lines, long long limit)
{
    const struct betree_sub** selectors = NULL;
    size_t count = 0;
    size_t capacity = 0;
    for (char* line = next_line(lines); line != NULL; line = next_line(lines)) {
        if (count == capacity) {
            capacity = capacity == 0 ? 1024 : 2 * capacity;
            selectors = allocated(realloc(selectors, capacity * sizeof(*selectors)));
        }
        selectors[count] = betree_make_sub(tree, count, 0, NULL, line);
        if (selectors[count] == NULL) {
            fail("BE-Tree does not accept %s", line);
        }
        count++;
        if (nanos() > limit) {
            return false;
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (!betree_insert_sub(tree, selectors[i])) {
            fail("BE-Tree does not insert selector %zu", i);
        }
        if (nanos() > limit) {
            return false;
        }
    }
    free(selectors);
    return true;
}

/* The values of a message as a search needs them: those of its event, which is left as it is. */
static const struct betree_variable** values(const struct betree* tree, char* line, size_t attributes)
{
    struct betree_event* event = betree_make_event(tree);
    char* next = line;
    for (size_t i = 0; i < attributes; i++) {
        char* end;
        long long value = strtoll(next, &end, 10);
        if (end == next) {
            fail("expected %zu values, found %s", attributes, line);
        }
        const char* name = betree_get_variable_definition((struct betree*)tree, i).name;
        betree_set_variable(event, i, betree_make_integer_variable(name, value));
        next = end;
    }
    fill_event(tree->config, event);
    return (const struct betree_variable**)event->variables;
}

static struct messages read_messages(const struct betree* tree, struct lines* lines)
{
    struct messages messages = { NULL, 0, tree->config->attr_domain_count };
    size_t capacity = 0;
    for (char* line = next_line(lines); line != NULL; line = next_line(lines)) {
        if (messages.count == capacity) {
            capacity = capacity == 0 ? 1024 : 2 * capacity;
            messages.values = allocated(realloc(messages.values, capacity * sizeof(*messages.values)));
        }
        messages.values[messages.count++] = values(tree, line, messages.attributes);
    }
    if (messages.count == 0) {
        fail("expected messages, found none");
    }
    return messages;
}

static struct report* search(const struct betree* tree, const struct messages* messages, size_t message)
{
    /* The search frees it. */
    size_t size = messages->attributes * sizeof(struct betree_variable*);
    const struct betree_variable** copy = allocated(malloc(size));
    memcpy(copy, messages->values[message], size);
    struct report* report = make_report();
    if (!betree_search_with_preds(tree->config, copy, tree->cnode, report)) {
        fail("BE-Tree does not search for message %zu", message);
    }
    return report;
}

static int by_number(const void* left, const void* right)
{
    betree_sub_t a = *(const betree_sub_t*)left;
    betree_sub_t b = *(const betree_sub_t*)right;
    return (a > b) - (a < b);
}

static void print_answer(const struct betree* tree, const struct messages* messages, size_t message)
{
    struct report* report = search(tree, messages, message);
    qsort(report->subs, report->matched, sizeof(*report->subs), by_number);
    for (size_t i = 0; i < report->matched; i++) {
        printf("%s%llu", i == 0 ? "" : " ", (unsigned long long)report->subs[i]);
    }
    putchar('\n');
    free_report(report);
}

/* Nanoseconds per message. */
static long long measure(const struct betree* tree, const struct messages* messages, long long duration)
{
    static volatile size_t found;
    long long start = nanos();
    long long elapsed;
    long long searched = 0;
    do {
        struct report* report = search(tree, messages, (size_t)searched % messages->count);
        found += report->matched;
        free_report(report);
        searched++;
        elapsed = nanos() - start;
    } while (elapsed <= duration);
    return elapsed / searched;
}

static long long number(const char* text)
{
    char* end;
    long long number = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || number < 0) {
        fail("expected a number, found %s", text);
    }
    return number;
}

int main(int count, char** arguments)
{
    if (count != 5) {
        fail("expected FILE COMPARED BUILD_SECONDS SECONDS");
    }
    /* A search allocates and frees some large blocks: keep them instead of asking the system each time. */
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);

    struct lines lines = read_lines(arguments[1]);
    size_t compared = (size_t)number(arguments[2]);
    long long limit = nanos() + number(arguments[3]) * NANOS_PER_SECOND;
    long long measured = number(arguments[4]) * NANOS_PER_SECOND;

    struct betree* tree = betree_make_with_parameters(LEAF, 0);
    add_attributes(tree, &lines);
    if (!add_selectors(tree, &lines, limit)) {
        puts("late");
        return 0;
    }
    struct messages messages = read_messages(tree, &lines);
    for (size_t i = 0; i < compared && i < messages.count; i++) {
        print_answer(tree, &messages, i);
    }
    measure(tree, &messages, measured / 2);
    printf("%lld\n", measure(tree, &messages, measured));
    return 0;
}
