package io.cleat.launch;

import static java.util.stream.Collectors.joining;

import io.cleat.api.AllocMetric;
import io.cleat.api.AllocationStub;
import io.cleat.api.CsiPlugin;
import io.cleat.api.Evaluation;
import io.cleat.api.PluginInstance;
import io.cleat.api.TaskEvent;
import io.cleat.api.TaskState;
import io.cleat.base.Refused;
import io.cleat.base.Trouble;
import io.cleat.base.VisibleText;
import io.cleat.clusterapi.ServerCluster;
import io.cleat.http.ReadQuery;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Why a plugin is not healthy yet, in one line: what its node has no room for, what last happened to its task, or what
 * it answers.
 *
 * @param job of the plugin
 */
record PluginWait(ServerCluster cluster, String plugin, String job) {
    private static final ReadQuery NOW = ReadQuery.now("default");
    private static final String FAILED = "Driver Failure";
    private static final String STARTED = "Started";

    String words() throws Refused, Trouble, InterruptedException {
        Optional<String> answered = cluster.plugins().get(NOW, plugin).body().stream()
                .flatMap(PluginWait::instances)
                .filter(instance -> !instance.Healthy())
                .map(PluginInstance::HealthDescription)
                .filter(words -> !words.isEmpty())
                .findFirst();
        if (answered.isPresent()) {
            return VisibleText.line(answered.get());
        }
        Optional<AllocationStub> newest = all(cluster.allocations()
                        .ofJob(NOW, job, true)
                        .body())
                .filter(one -> one.DesiredStatus().equals("run"))
                .filter(one -> !one.ClientStatus().equals("complete"))
                .max(Comparator.comparingLong(AllocationStub::CreateIndex));
        if (newest.isPresent()) {
            return "its allocation is "
                    + newest.get().ClientStatus()
                    + lastEvent(newest.get())
                            .map(event -> ": " + VisibleText.line(event))
                            .orElse("");
        }
        return all(cluster.evaluations().ofJob(NOW, job).body())
                .max(Comparator.comparingLong(Evaluation::CreateIndex))
                .flatMap(PluginWait::noPlace)
                .orElse("it is being placed");
    }

    private static <T> Stream<T> all(Iterable<T> rows) {
        return StreamSupport.stream(rows.spliterator(), false);
    }

    private static Stream<PluginInstance> instances(CsiPlugin found) {
        return Stream.concat(found.Nodes().values().stream(), found.Controllers().values().stream());
    }

    /** Why its task has not started; else what last happened to it. */
    private static Optional<String> lastEvent(AllocationStub allocation) {
        return last(allocation, Set.of(FAILED, STARTED))
                .filter(event -> event.Type().equals(FAILED))
                .or(() -> last(allocation, Set.of()))
                .map(TaskEvent::DisplayMessage);
    }

    /** @param types of events; empty for all */
    private static Optional<TaskEvent> last(AllocationStub allocation, Set<String> types) {
        return Objects.requireNonNullElse(allocation.TaskStates(), Map.<String, TaskState>of()).values().stream()
                .map(TaskState::Events)
                .filter(Objects::nonNull)
                .flatMap(List::stream)
                .filter(event -> types.isEmpty() || types.contains(event.Type()))
                .max(Comparator.comparingLong(TaskEvent::Time));
    }

    private static Optional<String> noPlace(Evaluation evaluation) {
        Map<String, AllocMetric> failed = Objects.requireNonNullElse(evaluation.FailedTGAllocs(), Map.of());
        return failed.values().stream().findFirst().map(PluginWait::noPlace);
    }

    private static String noPlace(AllocMetric metric) {
        Set<String> dimensions = names(metric.DimensionExhausted());
        if (!dimensions.isEmpty()) {
            return "no node has room for its job: not enough "
                    + dimensions.stream().sorted().collect(joining(", "));
        }
        Set<String> constraints = names(metric.ConstraintFiltered());
        return constraints.isEmpty()
                ? "no node takes its job"
                : "no node fits its job: " + constraints.stream().sorted().collect(joining("; "));
    }

    private static Set<String> names(@Nullable Map<String, Integer> counts) {
        return counts == null ? Set.of() : counts.keySet();
    }
}
