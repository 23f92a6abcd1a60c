package io.cleat.log;

import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.ratis.metrics.LongCounter;
import org.apache.ratis.metrics.MetricRegistries;
import org.apache.ratis.metrics.MetricRegistryInfo;
import org.apache.ratis.metrics.RatisMetricRegistry;
import org.apache.ratis.metrics.Timekeeper;
import org.apache.ratis.util.TimeDuration;

/**
 * Metrics that count nothing: nobody reads Ratis' own, and its usual ones start the server of JMX with them, which
 * takes memory and a part of each start. Public, because Ratis finds it as a service.
 */
public final class NoMetrics extends MetricRegistries {
    private static final Timekeeper TIMER = () -> () -> 0;
    private static final LongCounter COUNTER = new Counter();

    private record Registry(MetricRegistryInfo info) implements RatisMetricRegistry {
        @Override
        public Timekeeper timer(String name) {
            return TIMER;
        }

        @Override
        public LongCounter counter(String name) {
            return COUNTER;
        }

        @Override
        public <T> void gauge(String name, Supplier<Supplier<T>> supplier) {
            // Nobody asks for its value.
        }

        @Override
        public boolean remove(String name) {
            return false;
        }

        @Override
        public MetricRegistryInfo getMetricRegistryInfo() {
            return info;
        }
    }

    private static final class Counter implements LongCounter {
        @Override
        public void inc(long by) {
            // Nobody asks for the sum.
        }

        @Override
        public void dec(long by) {
            // Nobody asks for the sum.
        }

        @Override
        public long getCount() {
            return 0;
        }
    }

    @Override
    public RatisMetricRegistry create(MetricRegistryInfo info) {
        return new Registry(info);
    }

    @Override
    public boolean remove(MetricRegistryInfo info) {
        return false;
    }

    @Override
    public Optional<RatisMetricRegistry> get(MetricRegistryInfo info) {
        return Optional.empty();
    }

    @Override
    public Set<MetricRegistryInfo> getMetricRegistryInfos() {
        return Set.of();
    }

    @Override
    public Collection<RatisMetricRegistry> getMetricRegistries() {
        return Set.of();
    }

    @Override
    public void clear() {
        // Nothing is kept.
    }

    @Override
    public void addReporterRegistration(
            Consumer<RatisMetricRegistry> reporter, Consumer<RatisMetricRegistry> stopReporter) {
        // There is nothing to report.
    }

    @Override
    public void enableJmxReporter() {
        // There is nothing to report.
    }

    @Override
    public void enableConsoleReporter(TimeDuration rate) {
        // There is nothing to report.
    }
}
