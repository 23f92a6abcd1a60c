package io.cleat.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import org.apache.ratis.metrics.MetricRegistries;
import org.apache.ratis.metrics.MetricRegistryInfo;
import org.apache.ratis.metrics.RatisMetricRegistry;
import org.junit.jupiter.api.Test;

final class NoMetricsTest {
    /** Else Ratis takes those that start the server of JMX. */
    @Test
    void ratisFindsThem_andNothingIsCounted() {
        assertInstanceOf(NoMetrics.class, MetricRegistries.global());
        RatisMetricRegistry registry =
                MetricRegistries.global().create(new MetricRegistryInfo("prefix", "application", "component", "words"));
        registry.counter("some").inc();
        assertEquals(0, registry.counter("some").getCount());
        assertEquals(0, registry.timer("some").time().stop());
    }
}
