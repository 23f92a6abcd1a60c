package io.cleat.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Threads;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Short commands of the machine's operator, with the real shim. */
final class ShimCallTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    /** Of those, by their numbers in linux/capability.h: sys_module, sys_ptrace, sys_boot. */
    private static final List<Integer> LOST = List.of(16, 19, 22);

    /** chown, sys_admin, mknod. */
    private static final List<Integer> KEPT = List.of(0, 21, 27);

    @TempDir
    Path directory;

    private ShimCall call;

    @BeforeEach
    void start() throws Exception {
        call = new ShimCall(ShimProgram.built(), Threads.virtual((where, fault) -> {
            throw new AssertionError(where, fault);
        }));
    }

    private ShimCall.Ended run(Duration within, String script) throws Exception {
        Path file = directory.resolve("script");
        Files.writeString(file, "#!/bin/sh\n" + script);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        return call.run(
                directory,
                List.of(file.toString(), "first", "a b"),
                Map.of("GIVEN", "x y", "PATH", "/usr/bin:/bin"),
                within);
    }

    @Test
    void itsWordsAndItsExitCodeAreTold() throws Exception {
        ShimCall.Ended ended = run(LONG, "echo \"$1,$2,$GIVEN\"; pwd; echo bad >&2; exit 3");
        assertEquals(3, ended.code());
        assertEquals("first,a b,x y\n" + directory + "\n", ended.output());
        assertEquals("bad\n", ended.words());
        assertFalse(ended.isLate() || ended.saysTooMuch());
        assertEquals(128 + 9, run(LONG, "kill -9 $$").code());
    }

    @Test
    void itHasNoEnvironmentNoInputAndNoDescriptorsOfOurs() throws Exception {
        ShimCall.Ended ended = run(LONG, "env > names; cat > input; ls /proc/self/fd > handles");
        assertEquals(0, ended.code(), ended.words());
        String names = Files.readString(directory.resolve("names"));
        assertTrue(names.contains("GIVEN=x y\n"), names);
        assertFalse(names.contains("HOME=") || names.contains("JAVA"), names);
        assertEquals("", Files.readString(directory.resolve("input")));
        // The last one is the directory that is listed.
        assertEquals("0\n1\n2\n3\n", Files.readString(directory.resolve("handles")));
    }

    @Test
    void itIsRoot_withoutTheRightsThatNoStorageNeeds() throws Exception {
        ShimCall.Ended ended = run(LONG, "grep CapEff /proc/self/status; grep CapBnd /proc/self/status");
        Matcher sets = Pattern.compile("Cap(?:Eff|Bnd):\\s*([0-9a-f]+)").matcher(ended.output());
        int found = 0;
        while (sets.find()) {
            long rights = Long.parseUnsignedLong(sets.group(1), 16);
            for (int lost : LOST) {
                assertEquals(0, rights >> lost & 1, () -> lost + " in " + ended.output());
            }
            for (int kept : KEPT) {
                assertEquals(1, rights >> kept & 1, () -> kept + " in " + ended.output());
            }
            found++;
        }
        assertEquals(2, found);
    }

    @Test
    void oneThatIsLate_isKilledWithAllThatItHasStarted() throws Exception {
        ShimCall.Ended ended = run(
                Duration.ofMillis(700),
                "sleep 301 & echo $! > a; setsid sleep 302 & echo $! > b\n"
                        + "(setsid sh -c 'echo $$ > c; exec sleep 303' &)\n"
                        + "echo half; sleep 304");
        assertTrue(ended.isLate());
        assertEquals("half\n", ended.output());
        for (String name : List.of("a", "b", "c")) {
            String pid = Files.readString(directory.resolve(name)).strip();
            assertFalse(Files.exists(Path.of("/proc", pid)), name);
        }
    }

    @Test
    void oneThatSaysTooMuch_isEnded() throws Exception {
        ShimCall.Ended ended = run(LONG, "yes");
        assertTrue(ended.saysTooMuch());
        assertFalse(ended.isLate());
        assertEquals(ShimCall.MOST_OUTPUT, ended.output().length());
        ShimCall.Ended onError = run(LONG, "head -c 1000000 /dev/zero | tr '\\0' x >&2; echo done");
        assertEquals(ShimCall.MOST_WORDS, onError.words().length());
        assertEquals("done\n", onError.output());
    }

    /** A file system in user space has a process that has to stay. */
    @Test
    void whatItLeavesRunning_staysAndKeepsNobodyWaiting() throws Exception {
        ShimCall.Ended ended = run(LONG, "setsid sleep 305 & echo $! > left; echo done");
        assertEquals("done\n", ended.output());
        long pid = Long.parseLong(Files.readString(directory.resolve("left")).strip());
        ProcessHandle left = ProcessHandle.of(pid).orElseThrow();
        assertTrue(left.isAlive());
        left.destroyForcibly();
        left.onExit().join();
    }

    @Test
    void whatCannotBeExecuted_isSaid() throws Exception {
        ShimCall.Ended ended =
                call.run(directory, List.of(directory.resolve("absent").toString()), Map.of(), LONG);
        assertEquals(2, ended.code());
        assertEquals("executing it failed: No such file or directory\n", ended.words());
    }
}
