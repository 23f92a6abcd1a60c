package io.cleat.driver.rawexec;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.cleat.kernel.TextPath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"/bin/s\0h", "s\0h", "\ud800", "a/\0", "."})
    void aCommandThatIsNoPath_isAFaultOrNotFound(String command) {
        Map<String, Object> config = Map.of("command", command);
        boolean isFaulty = !Command.faults(config).isEmpty();
        Command read = Command.of(config);
        assertEquals(Optional.empty(), read.absolute());
        for (String place : read.places(directory, "/bin:/us\0r/bin")) {
            assertFalse(TextPath.of(place).filter(Files::isRegularFile).isPresent(), place);
        }
        assertEquals(!command.equals("."), isFaulty);
    }

    @ParameterizedTest
    @ValueSource(strings = {"command", "args", "other"})
    void aValueOfAnotherType_isAFault(String key) {
        for (Object value : List.of(5L, true, 1.5, List.of(5L), Map.of("a", "b"), List.of(List.of()))) {
            assertFalse(Command.faults(Map.of(key, value)).isEmpty(), key + " = " + value);
        }
    }
}
