package io.cleat.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class LayoutTest {
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

    @Test
    void columnsLineUpAndEmptyReadsNone() {
        assertEquals(
                """
                ID        Name    State
                a         <none>  ready
                longer-é  b       <none>""",
                new Columns("ID", "Name", "State")
                        .row("a", "", "ready")
                        .row("longer-é", "b", " ")
                        .text());
    }

    @Test
    void columnsLineUpThoughACellActsOnTerminals() {
        assertEquals(
                """
                Name          State
                a\\u001b[2J b  ready
                e\u0301             x""",
                new Columns("Name", "State")
                        .row("a\u001b[2J\r\nb", "ready")
                        .row("e\u0301", "x")
                        .text());
    }

    @Test
    void propertiesLineUp() {
        assertEquals(
                """
                ID          = v1
                Controllers = 0
                Provider    = <none>""",
                new Rows()
                        .put("ID", "v1")
                        .put("Controllers", 0)
                        .put("Provider", "")
                        .putUnlessEmpty("Name", "")
                        .text());
    }

    @Test
    void agesShowTheTwoLargestUnits() {
        assertEquals("0s ago", Human.ago(NOW, NOW));
        assertEquals("59s ago", Human.ago(NOW.minusSeconds(59), NOW));
        assertEquals("3m5s ago", Human.ago(NOW.minusSeconds(185), NOW));
        assertEquals("1h ago", Human.ago(NOW.minusSeconds(3605), NOW));
        assertEquals("1h1m ago", Human.ago(NOW.minusSeconds(3661), NOW));
        assertEquals("2d3h ago", Human.ago(NOW.minus(Duration.ofHours(51)), NOW));
        assertEquals("1mo1d ago", Human.ago(NOW.minus(Duration.ofDays(31)), NOW));
        assertEquals("1y1mo ago", Human.ago(NOW.minus(Duration.ofDays(400)), NOW));
        assertEquals("5s from now", Human.ago(NOW.plusSeconds(5), NOW));
        assertEquals("<none>", Human.ago(0, NOW));
    }

    @Test
    void pointsInTimeCarryTheirZone() {
        assertEquals("2026-11-21T12:00:00Z", Human.time(NOW.toEpochMilli() * 1_000_000, ZoneOffset.UTC));
        assertEquals("2026-11-21T13:00:00+01:00", Human.time(NOW.toEpochMilli() * 1_000_000, ZoneOffset.ofHours(1)));
        assertEquals("<none>", Human.time(0, ZoneOffset.UTC));
    }

    @Test
    void sizesAreBinary() {
        assertEquals("0 B", Human.bytes(0));
        assertEquals("1023 B", Human.bytes(1023));
        assertEquals("1.0 KiB", Human.bytes(1024));
        assertEquals("64 MiB", Human.bytes(64L << 20));
        assertEquals("1.5 GiB", Human.bytes(3L << 29));
        assertEquals("10 GiB", Human.bytes(10L << 30));
        assertEquals("8.0 EiB", Human.bytes(Long.MAX_VALUE));
    }

    @Test
    void idsAreCutToEight() {
        assertEquals("6f4d9a2c", Human.id("6f4d9a2c-1111-2222-3333-444455556666", false));
        assertEquals("v1", Human.id("v1", false));
        assertEquals("6f4d9a2c-1111", Human.id("6f4d9a2c-1111", true));
    }
}
