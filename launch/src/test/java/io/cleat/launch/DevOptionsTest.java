package io.cleat.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.cleat.base.Refused;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DevOptionsTest {
    private static String refusal(String... args) {
        return assertThrows(Refused.class, () -> DevOptions.parse(List.of(args)))
                .refusal()
                .message();
    }

    @Test
    void withoutFlagsItIsTemporaryOnTheUsualPort() throws Refused {
        assertEquals(
                new DevOptions(4646, false, "127.0.0.1", Optional.empty()),
                DevOptions.parse(List.of()));
    }

    @Test
    void flagsTakeTheirValuesInBothForms() throws Refused {
        DevOptions expected =
                new DevOptions(4700, true, "127.0.0.1", Optional.of(Path.of("/var/lib/cleat")));
        assertEquals(
                expected,
                DevOptions.parse(List.of("-http-port", "4700", "-data-dir", "/var/lib/cleat")));
        assertEquals(
                expected,
                DevOptions.parse(List.of("--http-port=4700", "-data-dir=/var/lib/cleat")));
    }

    @Test
    void anAddressThatOthersReachNeedsToBeAskedForTwice() throws Refused {
        assertTrue(refusal("-bind=0.0.0.0").contains("-insecure-listen"));
        assertEquals(
                "0.0.0.0", DevOptions.parse(List.of("-bind=0.0.0.0", "-insecure-listen")).bind());
    }

    @Test
    void aWrongFlagOrValueIsNamedWithWhatWasExpected() {
        assertTrue(refusal("-port=1").contains("-http-port"));
        assertTrue(refusal("-http-port=many").contains("many"));
        assertTrue(refusal("-http-port=70000").contains("0 to 65535"));
        assertTrue(refusal("-data-dir").contains("needs a value"));
    }
}
