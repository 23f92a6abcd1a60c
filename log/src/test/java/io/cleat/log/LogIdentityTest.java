package io.cleat.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.cleat.base.Ids;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file that says whose a log is; the sample is never edited, and is read for ever. */
final class LogIdentityTest {
    @TempDir Path directory;

    @Test
    void sampleOfVersionOneIsReadAndWrittenTheSame() throws Exception {
        byte[] sample;
        try (InputStream in =
                Objects.requireNonNull(
                        LogIdentityTest.class.getResourceAsStream("/history/identity-v1"))) {
            sample = in.readAllBytes();
        }
        Path file = directory.resolve(LogIdentity.FILE);
        Files.write(file, sample);
        LogIdentity read = LogIdentity.of(directory, Optional.empty(), Ids.random());
        assertEquals(
                new LogIdentity(
                        "11111111-2222-3333-4444-555555555555",
                        "66666666-7777-8888-9999-aaaaaaaaaaaa",
                        true),
                read);
        Files.delete(file);
        read.formatted(directory);
        assertEquals(new String(sample, StandardCharsets.US_ASCII), Files.readString(file));
    }

    @Test
    void identityIsGivenOnce() throws Exception {
        LogIdentity first = LogIdentity.of(directory, Optional.empty(), Ids.random());
        assertFalse(first.isFormatted());
        assertEquals(first, LogIdentity.of(directory, Optional.empty(), Ids.random()));
    }
}
