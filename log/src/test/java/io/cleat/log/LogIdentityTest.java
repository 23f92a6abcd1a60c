package io.cleat.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.DiskTrouble;
import io.cleat.base.Ids;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The file that says whose a log is; the sample is never edited, and is read for ever. */
final class LogIdentityTest {
    @TempDir
    Path directory;

    private static byte[] sample(String name) throws Exception {
        try (InputStream in = Objects.requireNonNull(LogIdentityTest.class.getResourceAsStream("/history/" + name))) {
            return in.readAllBytes();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"identity-v1", "identity-v2"})
    void samplesOfEachVersionAreRead_andTheNewestIsWrittenTheSame(String name) throws Exception {
        Path file = directory.resolve(LogIdentity.FILE);
        Files.write(file, sample(name));
        LogIdentity read = LogIdentity.of(directory, Optional.empty(), Ids.random());
        assertEquals(
                new LogIdentity("11111111-2222-3333-4444-555555555555", "66666666-7777-8888-9999-aaaaaaaaaaaa", true),
                read);
        Files.delete(file);
        read.formatted(directory);
        assertEquals(new String(sample("identity-v2"), StandardCharsets.US_ASCII), Files.readString(file));
    }

    /** `made` with one letter changed once began a new and empty cluster. */
    @Test
    void aWordThatIsNoneOfItsOwn_isRefused() throws Exception {
        Path file = directory.resolve(LogIdentity.FILE);
        String first = new String(sample("identity-v1"), StandardCharsets.US_ASCII);
        Files.writeString(file, first.replace("log made", "log mads"));
        DiskTrouble refused =
                assertThrows(DiskTrouble.class, () -> LogIdentity.of(directory, Optional.empty(), Ids.random()));
        assertTrue(refused.reason().contains("'log mads'"), refused.reason());
    }

    @Test
    void aChangeOfAnyByte_isRefused() throws Exception {
        Path file = directory.resolve(LogIdentity.FILE);
        byte[] whole = sample("identity-v2");
        for (int at = 0; at < whole.length; at++) {
            byte[] changed = whole.clone();
            changed[at] ^= 4;
            Files.write(file, changed);
            assertThrows(
                    DiskTrouble.class, () -> LogIdentity.of(directory, Optional.empty(), Ids.random()), "byte " + at);
        }
    }

    @Test
    void identityIsGivenOnce() throws Exception {
        LogIdentity first = LogIdentity.of(directory, Optional.empty(), Ids.random());
        assertFalse(first.isFormatted());
        assertEquals(first, LogIdentity.of(directory, Optional.empty(), Ids.random()));
    }
}
