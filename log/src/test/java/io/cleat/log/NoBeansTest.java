package io.cleat.log;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Optional;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NoBeansTest {
    @TempDir
    Path directory;

    /** Ratis' own would have those of the JDK registered first, which reads the flight recorder's settings. */
    @Test
    void openedLog_registersNoBean() throws Exception {
        Recording recording = new Recording();
        LogSettings settings = new LogSettings(directory, Optional.empty(), 1 << 20, 1000, 4 << 20, 0);
        try (RatisLog log = RatisLogTest.ratis(settings, recording)) {
            log.start(recording);
            recording.awaitLeading();
            MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
            assertFalse(beans.isRegistered(new ObjectName("com.sun.management:type=DiagnosticCommand")));
            assertFalse(beans.isRegistered(new ObjectName("java.lang:type=Memory")));
        }
    }
}
