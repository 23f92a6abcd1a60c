package io.cleat.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HungCallsTest {
    @TempDir
    Path temporary;

    /** A read of a worker's pipe held up what carries virtual threads, and no deadline came. */
    @Test
    void whoWaitsForAWorkerHoldsUpNobodyAndItsDeadlineComes() throws Exception {
        Path begun = Files.createDirectory(temporary.resolve("begun"));
        Path words = temporary.resolve("words");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djdk.virtualThreadScheduler.parallelism=1",
                        "-Djdk.virtualThreadScheduler.maxPoolSize=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        HungCalls.class.getName(),
                        begun.toString())
                .redirectErrorStream(true)
                .redirectOutput(words.toFile())
                .start();
        boolean ended = process.waitFor(60, TimeUnit.SECONDS);
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        String said = Files.readString(words);
        assertTrue(ended, said);
        assertEquals(0, process.exitValue(), said);
        assertTrue(said.contains("it hangs and was given up"), said);
    }
}
