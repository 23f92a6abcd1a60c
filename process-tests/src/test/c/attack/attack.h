/* A battery of attempts against walls. Each runs in a process of its own with five seconds, and is
 * told in one line: its name, a verdict (held, broken, not-run) and a detail, with tabs between. */
#ifndef ATTACK_H
#define ATTACK_H

#include <stddef.h>

/* What an attempt found. */
enum verdict { HELD, BROKEN, NOT_RUN };

/* What the battery was told of the machine: lines of a key and a value. */
enum { MOST_VALUES = 1024, LONGEST = 512 };

/* The values of a key, in order; their number. */
int settings(const char *key, const char **values, int room);
/* The first value of a key; "" if there is none. */
const char *setting(const char *key);
/* Reads a file of settings. */
void read_settings(const char *path);
/* What no name but those of our attempts has in it. */
const char *mark(void);
/* Whether the party is user 0. */
int is_root(void);

/* Says what an attempt found, in words; in the process of the attempt. */
void detail(const char *format, ...) __attribute__((format(printf, 1, 2)));

typedef enum verdict (*attempt_body)(const void *with);
/* Runs one, and tells it. */
void attempt(const char *area, const char *name, attempt_body body, const void *with);

/* What a call that must fail has returned: it held if it failed for a right that is absent, or since
 * the thing is not there; whatever else it failed for says nothing of the wall. */
enum verdict refused(long result);

/* What a handle was that this program was started with beside its streams; "" for none. */
const char *left_open(int handle);

/* Whether a text has the contents of one of the machine's secret files in it. */
int is_secret(const char *text, size_t size);

/* The areas. */
void attack_calls(void);
void attack_namespaces(void);
void attack_rights(void);
void attack_system(void);
void attack_hidden(void);
void attack_own_places(void);
void attack_processes(void);
void attack_network(int is_task);
void attack_floods(void);
void attack_data(void);
/* Plants at a place and asks to be started again; then says whether what is shown, or the place, has
 * the contents of a secret file. The program's exit code. */
int swap(const char *kind, const char *place, const char *task, const char *shown);

/* Only looks. */
int look(const char *place, const char *shown);

/* Puts something in the place of a path; 0, or -1 with errno. */
int plant(const char *kind, const char *place);

#endif
