package io.cleat.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.KernelTrouble;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PidFileTest {
    @TempDir
    Path directory;

    @Test
    void whatIsWrittenIsThisVeryProcess() throws Exception {
        Path file = directory.resolve("agent.pid");
        ProcessIdentity own = PidFile.writeOwn(file);
        assertEquals(ProcessHandle.current().pid(), own.pid());
        assertEquals(Optional.of(own), PidFile.read(file));
        assertTrue(Processes.linux().isAlive(own));
    }

    @Test
    void noFileIsNoProcess() throws Exception {
        assertEquals(Optional.empty(), PidFile.read(directory.resolve("agent.pid")));
    }

    @Test
    void aFileOfVersionOneIsReadForEver() throws Exception {
        Path file = directory.resolve("agent.pid");
        try (InputStream sample = PidFileTest.class.getResourceAsStream("/history/pid-1")) {
            Files.write(file, Objects.requireNonNull(sample).readAllBytes());
        }
        assertEquals(Optional.of(new ProcessIdentity(42, 9001, new BootId("b-1"))), PidFile.read(file));
    }

    @Test
    void aNewerFileIsRefusedWithItsNumber() throws Exception {
        Path file = directory.resolve("agent.pid");
        Files.writeString(file, "cleat-pid 2\n");
        KernelTrouble refused = assertThrows(KernelTrouble.class, () -> PidFile.read(file));
        assertTrue(refused.reason().contains("version 2"), refused.reason());
    }
}
