package io.cleat.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessesTest {
    private final Processes processes = Processes.linux();

    @TempDir
    Path recorded;

    private LinuxProcesses recorded(long pid, String stat) throws Exception {
        Files.createDirectories(recorded.resolve("" + pid));
        Files.writeString(recorded.resolve(pid + "/stat"), stat);
        return new LinuxProcesses(recorded);
    }

    private static String stat(String name, char state) {
        return "42 ("
                + name
                + ") "
                + state
                + " 1 42 40 0 -1 4194560 10 0 0 0 7 3 0 0 20 0 1 0 98765 1000 25 18446744073709551615 1\n";
    }

    @Test
    void aNameWithParenthesesAndSpacesIsRead() throws Exception {
        LinuxProcesses linux = recorded(42, stat("a) Z (b", 'S'));
        ProcessIdentity identity = linux.identify(42).orElseThrow();
        assertEquals(98765, identity.startTime());
        assertEquals(
                new Processes.Usage(70_000_000, 30_000_000, 25 * 4096),
                linux.usage(identity).orElseThrow());
        assertEquals(List.of(identity), linux.session(40));
    }

    @Test
    void theDeadAndTheZombieAreNotAlive() throws Exception {
        for (char state : new char[] {'Z', 'X', 'x'}) {
            assertEquals(Optional.empty(), recorded(42, stat("gone", state)).identify(42));
        }
    }

    @Test
    void anIdThatWasGivenToAnotherIsNotTheSameProcess() throws Exception {
        Process child = new ProcessBuilder("sleep", "60").start();
        try {
            ProcessIdentity now = processes.identify(child.pid()).orElseThrow();
            ProcessIdentity before = new ProcessIdentity(now.pid(), now.startTime() - 1, now.boot());
            ProcessIdentity elsewhere = new ProcessIdentity(now.pid(), now.startTime(), new BootId("another"));
            assertTrue(processes.isAlive(now));
            assertFalse(processes.isAlive(before));
            assertFalse(processes.isAlive(elsewhere));
            assertFalse(processes.signal(before, Processes.SIGKILL));
            assertFalse(processes.signal(elsewhere, Processes.SIGKILL));
            assertTrue(child.isAlive());
            assertTrue(processes.signal(now, Processes.SIGKILL));
            assertTrue(child.waitFor(10, TimeUnit.SECONDS));
            assertFalse(processes.signal(now, Processes.SIGKILL));
            assertFalse(processes.isAlive(now));
        } finally {
            child.destroyForcibly();
        }
    }

    @Test
    void theBootIdIsThatOfThisMachine() throws Exception {
        assertEquals(36, BootId.read().value().length());
    }
}
