package io.cleat.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SecretTest {
    @Test
    void aSecretNeverPrints() {
        Secrets secrets = Secrets.of(Map.of("token", "hunter2"));
        assertEquals("{token=[REDACTED]}", secrets.toString());
        assertFalse(("" + secrets.byName()).contains("hunter2"));
        assertEquals(Map.of("token", "hunter2"), secrets.reveal());
    }

    @Test
    void overlayTakesTheUpperValue() {
        Secrets stored = Secrets.of(Map.of("a", "1", "b", "2"));
        Secrets given = Secrets.of(Map.of("b", "3"));
        assertEquals(Map.of("a", "1", "b", "3"), stored.overlaidBy(given).reveal());
    }
}
