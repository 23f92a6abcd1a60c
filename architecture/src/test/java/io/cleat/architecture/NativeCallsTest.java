package io.cleat.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * The native program runs as root. A name that a task, a plugin or another user can change is opened by it only through
 * {@code place.c}, or as one name in a directory that is held open. So each call of it on a name is listed here, with
 * why nobody can lead it elsewhere. Calls on handles need no list.
 */
final class NativeCallsTest {
    /** Calls of the kernel by a path or name, and our own functions that open what they are told. */
    private static final Pattern CALL =
            Pattern.compile("\\b(open|openat|creat|fopen|freopen|opendir|rename|renameat2?|unlink|unlinkat"
                    + "|rmdir|remove|mkdir|mkdirat|mknod|mknodat|mkfifo|mkfifoat|mkstemp"
                    + "|mkdtemp|symlink|symlinkat|link|linkat|chmod|fchmodat|l?chown"
                    + "|fchownat|truncate|utimensat|l?setxattr|l?removexattr|bind|connect"
                    + "|chdir|chroot|mount|umount2?|stat|lstat|fstatat|statx|access"
                    + "|faccessat|readlink|readlinkat|execv|execve|execvp|execveat"
                    + "|open_by_handle_at|read_small|write_durably)\\s*\\("
                    + "|\\bsyscall\\s*\\(\\s*(SYS_\\w+)");

    private static final Pattern OPENAT = Pattern.compile("\\bopenat\\s*\\(");

    /** The declarations are no calls. */
    private static final Pattern DECLARED = Pattern.compile("(?m)^int (?:read_small|write_durably)\\(");

    private static final String HELD = "one name in a directory that is held open, and no link is followed";
    private static final String HANDLE = "/proc/self/fd/N: the handle that was looked at";
    private static final String ROOT =
            "the root of a place, which is the agent's; a worker holds no directory meanwhile";
    private static final String OWN = "in the shim's own directory, which is 0700";
    private static final String KERNEL = "the kernel's own files: /proc, /dev, control groups";
    private static final String FRESH =
            "in a mount namespace of its own, in a root in memory that it has just made, or what"
                    + " the system has installed";
    private static final String TASK =
            "what the task's description names, on the way to become the task: its user gets no"
                    + " more by it than its user has";
    private static final String CALLED =
            "the operator's, in a directory that root alone may write, from / on: its caller has looked";
    private static final String NO_NAME = "takes no name";

    /**
     * What a file may do.
     *
     * @param times so that another one beside it is looked at, too
     */
    private record May(String file, String call, int times, String why) {
        String name() {
            return file + " " + call;
        }
    }

    private static final List<May> MAY = List.of(
            new May("become.c", "chdir", 1, TASK),
            new May("become.c", "execve", 1, TASK),
            new May("become.c", "execvp", 1, TASK),
            new May("become.c", "open", 1, KERNEL),
            new May("call.c", "SYS_close_range", 1, NO_NAME),
            new May("call.c", "chdir", 1, CALLED),
            new May("call.c", "execv", 1, CALLED),
            new May("call.c", "open", 1, KERNEL),
            new May("confine.c", "SYS_capset", 1, NO_NAME),
            new May("confine.c", "access", 1, "as nobody, in its own root"),
            new May("confine.c", "chdir", 1, "as nobody, in its own root"),
            new May("confine.c", "execv", 1, "as nobody, in its own root"),
            new May("confine_root.c", "SYS_pivot_root", 1, FRESH),
            new May("confine_root.c", "chdir", 2, FRESH),
            new May("confine_root.c", "mkdir", 3, FRESH),
            new May("confine_root.c", "mount", 6, FRESH),
            new May("confine_root.c", "open", 5, FRESH),
            new May("confine_root.c", "opendir", 1, FRESH),
            new May("confine_root.c", "readlink", 1, FRESH),
            new May("confine_root.c", "stat", 1, FRESH),
            new May("confine_root.c", "symlink", 1, FRESH),
            new May("confine_root.c", "umount2", 1, FRESH),
            new May("container.c", "execve", 1, "the runtime, which is the operator's"),
            new May("container.c", "open", 1, KERNEL),
            new May("container.c", "read_small", 2, "in the bundle, which is 0700"),
            new May("container.c", "unlink", 1, "in the bundle, which is 0700"),
            new May("detach.c", "chdir", 1, "to the run's own directory, which is 0700"),
            new May("detach.c", "open", 2, OWN + "; and /dev/null"),
            new May("detach.c", "read_small", 1, KERNEL),
            new May("detach.c", "write_durably", 1, OWN),
            new May("exec.c", "open", 1, "a terminal that the kernel has just made"),
            new May("exec.c", "read_small", 1, KERNEL),
            new May("files.c", "open", 3, "for its callers, who are listed; and " + OWN),
            new May("files.c", "rename", 1, OWN),
            new May("files.c", "unlink", 1, OWN),
            new May("follow.c", "mkfifo", 1, "in a directory of the agent's, which is 0700"),
            new May("follow.c", "open", 1, "in a directory of the agent's, which is 0700"),
            new May("init.c", "execvp", 1, "as the task, in its container"),
            new May("output.c", "openat", 1, HELD),
            new May("output.c", "unlinkat", 1, HELD),
            new May("path.c", "chdir", 1, "to /, so that nothing is kept in use"),
            new May("path_clear.c", "renameat", 1, HELD),
            new May("path_clear.c", "unlinkat", 3, HELD),
            new May("path_ids.c", "open", 2, KERNEL),
            new May("path_look.c", "open", 1, HANDLE),
            new May("path_look.c", "stat", 1, "over links, and tells only a task what is its own to run"),
            new May("path_look.c", "statx", 2, HELD),
            new May("path_make.c", "fchownat", 1, "an empty name: the handle"),
            new May("path_make.c", "mkdirat", 3, HELD),
            new May("path_make.c", "open", 1, HANDLE),
            new May("path_make.c", "openat", 6, HELD),
            new May("path_make.c", "readlinkat", 1, "an empty name: the handle"),
            new May("path_make.c", "renameat", 3, HELD),
            new May("path_make.c", "statx", 2, HELD),
            new May("path_make.c", "symlinkat", 1, HELD),
            new May("path_make.c", "unlinkat", 5, HELD),
            new May("path_measure.c", "openat", 1, HELD),
            new May("path_measure.c", "statx", 1, HELD),
            new May("path_mount.c", "SYS_pivot_root", 1, ROOT),
            new May("path_mount.c", "chdir", 3, "to / and to " + ROOT),
            new May("path_mount.c", "mount", 4, HANDLE + "; and " + ROOT),
            new May("path_mount.c", "statx", 1, "an empty name: the handle"),
            new May("path_mount.c", "umount2", 3, HELD),
            new May("path_mount.c", "unlinkat", 2, HELD),
            new May("path_own.c", "chmod", 1, HANDLE),
            new May("path_own.c", "fchownat", 1, "an empty name: the handle"),
            new May("path_own.c", "openat", 2, HELD),
            new May("path_seal.c", "SYS_open_tree", 1, HANDLE),
            new May("path_seal.c", "openat", 1, HELD),
            new May("path_show.c", "SYS_mount_setattr", 2, HANDLE),
            new May("path_show.c", "SYS_move_mount", 1, HANDLE),
            new May("path_show.c", "SYS_open_tree", 1, HANDLE),
            new May("path_show.c", "chdir", 1, "to /, so that nothing is kept in use"),
            new May("path_show.c", "statx", 1, "an empty name: the handle"),
            new May("path_show.c", "umount2", 2, HELD),
            new May("place.c", "SYS_openat2", 1, "below a handle, over no link"),
            new May("place.c", "open", 3, HANDLE + "; and " + ROOT),
            new May("place.c", "openat", 3, HELD),
            new May("place.c", "read_small", 1, KERNEL),
            new May("process.c", "access", 1, KERNEL),
            new May("process.c", "open", 2, KERNEL),
            new May("process.c", "opendir", 1, KERNEL),
            new May("process.c", "read_small", 2, KERNEL),
            new May("run.c", "access", 1, OWN),
            new May("run.c", "bind", 1, OWN),
            new May("run.c", "chdir", 1, "to its own directory, which the agent names"),
            new May("run.c", "open", 4, KERNEL + "; and " + OWN),
            new May("run.c", "read_small", 2, KERNEL),
            new May("run.c", "unlink", 5, OWN),
            new May("run.c", "write_durably", 2, OWN),
            new May("task.c", "open", 1, OWN),
            new May("wall.c", "SYS_capget", 1, NO_NAME),
            new May("wall.c", "SYS_capset", 2, NO_NAME),
            new May("writer.c", "SYS_clone", 1, NO_NAME));

    private static Map<String, String> sources() {
        Map<String, String> sources = new TreeMap<>();
        for (Path file : Tree.filesBelow(Tree.ROOT.resolve("shim"))) {
            if (file.toString().endsWith(".c")) {
                sources.put(file.getFileName().toString(), SourceText.codeOf(Tree.text(file)));
            }
        }
        return sources;
    }

    /** How often each file makes each call. */
    private static Map<String, Integer> calls(Map<String, String> sources) {
        Map<String, Integer> found = new TreeMap<>();
        sources.forEach((file, code) -> {
            Matcher call = CALL.matcher(DECLARED.matcher(code).replaceAll(""));
            while (call.find()) {
                String name = call.group(1) == null ? call.group(2) : call.group(1);
                found.merge(file + " " + name, 1, Integer::sum);
            }
        });
        return found;
    }

    private static Map<String, Integer> listed(List<May> list) {
        Map<String, Integer> listed = new TreeMap<>();
        for (May may : list) {
            Integer before = listed.put(may.name(), may.times());
            assertEquals(null, before, may.name() + " is listed twice");
        }
        return listed;
    }

    private static List<String> differences(Map<String, Integer> found, Map<String, Integer> listed) {
        TreeSet<String> names = new TreeSet<>(found.keySet());
        names.addAll(listed.keySet());
        List<String> differences = new ArrayList<>();
        for (String name : names) {
            int is = found.getOrDefault(name, 0);
            int may = listed.getOrDefault(name, 0);
            if (is != may) {
                differences.add(name + ": found " + is + ", listed " + may);
            }
        }
        return differences;
    }

    /** Each {@code openat} that follows a link, or waits for whoever made a pipe of the name. */
    private static List<String> looseOpens(Map<String, String> sources) {
        List<String> loose = new ArrayList<>();
        sources.forEach((file, code) -> {
            Matcher open = OPENAT.matcher(code);
            while (open.find()) {
                String call = code.substring(open.start(), code.indexOf(';', open.start()));
                boolean waitsForNobody = List.of("O_PATH", "O_DIRECTORY", "O_EXCL", "O_NONBLOCK").stream()
                        .anyMatch(call::contains);
                if (!call.contains("O_NOFOLLOW") || !waitsForNobody) {
                    loose.add(file + ": " + call.replaceAll("\\s+", " "));
                }
            }
        });
        return loose;
    }

    @Test
    void rootActsOnNamesOnlyWhereItIsListed() {
        Map<String, String> sources = sources();
        assertTrue(sources.size() > 20, "the sources were not found: " + sources.keySet());
        assertEquals(List.of(), differences(calls(sources), listed(MAY)));
    }

    @Test
    void whatIsOpenedInAHeldDirectoryIsNoLinkAndNoPipe() {
        assertEquals(List.of(), looseOpens(sources()));
    }

    @Test
    void aCallThatIsNotListed_aFurtherOneAndAnEntryWithoutOneAreSeen() {
        Map<String, String> planted = Map.of(
                "a.c",
                SourceText.codeOf("/* open(x) */ int f(void) { return open (\"b\", 0); }"),
                "b.c",
                "return rename(a, b) < 0 ? rename(b, a) : syscall(SYS_openat2, fd);");
        List<May> list = List.of(new May("b.c", "rename", 1, OWN), new May("c.c", "bind", 1, OWN));
        assertEquals(
                List.of(
                        "a.c open: found 1, listed 0",
                        "b.c SYS_openat2: found 1, listed 0",
                        "b.c rename: found 2, listed 1",
                        "c.c bind: found 0, listed 1"),
                differences(calls(planted), listed(list)));
    }

    @Test
    void anOpenThatFollowsALinkAndOneThatWaitsAreSeen() {
        Map<String, String> planted = Map.of(
                "a.c",
                "int a = openat(d, n, O_PATH);\n"
                        + "int b = openat(d, n, O_RDONLY | O_NOFOLLOW);\n"
                        + "int c = openat(d, n, O_PATH | O_NOFOLLOW);");
        assertEquals(
                List.of("a.c: openat(d, n, O_PATH)", "a.c: openat(d, n, O_RDONLY | O_NOFOLLOW)"), looseOpens(planted));
    }
}
