package io.cleat.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EscapeKeysTest {
    private final EscapeKeys keys = new EscapeKeys((byte) '~');

    private String type(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        Optional<byte[]> passed = keys.pass(bytes, bytes.length);
        return passed.map(some -> new String(some, StandardCharsets.UTF_8)).orElse("<out>");
    }

    @Test
    void onlyAtTheBeginningOfALineAndBeforeAFullStopIsItTheWayOut() {
        assertEquals("a~.", type("a~."));
        assertEquals("\r~x~.\n", type("\r~x~.\n"));
        assertEquals("", type("~"));
        assertEquals("<out>", type("."));
    }

    @Test
    void twiceItIsTheKeyItself() {
        assertEquals("~.", type("~~."));
        assertEquals("~~", type("~~"));
    }
}
