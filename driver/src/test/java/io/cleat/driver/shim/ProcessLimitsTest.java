package io.cleat.driver.shim;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProcessLimitsTest {
    @Test
    void noLimitIsAboveThisProcesssOwnHardOne() {
        Map<String, Long> limits = ProcessLimits.within(List.of(
                "Limit                     Soft Limit           Hard Limit           Units",
                "Max core file size        unlimited            unlimited            bytes",
                "Max open files            1024                 20000                files",
                "Max locked memory         65536                unlimited            bytes",
                "Max realtime priority     0                    99"));
        assertEquals(20_000L, limits.get("nofile"));
        assertEquals(0L, limits.get("core"));
        assertEquals(8L << 20, limits.get("memlock"));
        assertEquals(0L, limits.get("rtprio"));
        assertEquals(ProcessLimits.ofEach(), ProcessLimits.within(List.of()));
    }
}
