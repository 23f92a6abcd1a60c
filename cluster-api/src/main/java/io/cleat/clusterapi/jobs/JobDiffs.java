package io.cleat.clusterapi.jobs;

import io.cleat.api.FieldDiff;
import io.cleat.api.Job;
import io.cleat.api.JobDiff;
import io.cleat.api.Json;
import io.cleat.api.ObjectDiff;
import io.cleat.api.TaskDiff;
import io.cleat.api.TaskGroupDiff;
import io.cleat.base.Meter;
import io.cleat.base.Refusal;
import io.cleat.base.Refused;
import io.cleat.base.TextRule;
import io.cleat.state.PlannedCounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * How two stored jobs differ, by their JSON: what only the server sets is left out. A group or task is matched by its
 * name.
 */
final class JobDiffs {
    private static final Set<String> SET_BY_SERVER = Set.of(
            "ID",
            "Status",
            "StatusDescription",
            "Version",
            "Stable",
            "CreateIndex",
            "ModifyIndex",
            "JobModifyIndex",
            "SubmitTime");
    private static final Set<String> NAME = Set.of("Name");

    /** What a scaling policy is known by. */
    private static final Set<String> OF_POLICY = Set.of("ID", "CreateIndex", "ModifyIndex", "Target");

    /** In the order in which Nomad shows them. */
    private static final List<String> GROUP_OBJECTS =
            List.of("RestartPolicy", "Migrate", "ReschedulePolicy", "EphemeralDisk", "Update");

    private static final List<String> TASK_OBJECTS =
            List.of("Config", "Resources", "LogConfig", "Lifecycle", "Identity");

    /** Derived or unchanging for new tasks, so that only their changes are shown. */
    private static final List<String> CHANGED_TASK_OBJECTS = List.of("RestartPolicy", "CSIPluginConfig");

    private final @Nullable Map<String, PlannedCounts> counts;

    private final Diffs diffs;

    /** What is being compared, for people. */
    private String place = "";

    private JobDiffs(@Nullable Map<String, PlannedCounts> counts, Meter meter) {
        this.counts = counts;
        this.diffs = new Diffs(meter);
    }

    /**
     * @param meter of all diffs of one answer
     * @throws Refused it takes more work than the meter allows, with the place
     */
    static JobDiff between(Job old, Job now, Meter meter) throws Refused {
        return new JobDiffs(null, meter).placed(Json.toTree(old), Json.toTree(now));
    }

    /**
     * With what would become of allocations.
     *
     * @param old null if there is none
     * @throws Refused it takes more work than one diff may, with the place
     */
    static JobDiff planned(@Nullable Job old, Job now, Map<String, PlannedCounts> counts) throws Refused {
        return new JobDiffs(counts, new Meter(Diffs.LIMITS))
                .placed(old == null ? MissingNode.getInstance() : Json.toTree(old), Json.toTree(now));
    }

    private JobDiff placed(JsonNode old, JsonNode now) throws Refused {
        try {
            return job(old, now);
        } catch (Refused spent) {
            throw new Refused(new Refusal.Invalid("cannot compare the versions of job "
                    + TextRule.quoted(now.path("ID").asString())
                    + place
                    + ": "
                    + spent.refusal().message()
                    + "; or ask without the diff"));
        }
    }

    private JobDiff job(JsonNode old, JsonNode now) throws Refused {
        List<FieldDiff> fields = new ArrayList<>(diffs.fields(old, now, SET_BY_SERVER, false));
        fields.addAll(diffs.entries("Meta", old.path("Meta"), now.path("Meta")));
        List<ObjectDiff> objects = new ArrayList<>();
        diffs.words("Datacenters", old.path("Datacenters"), now.path("Datacenters"))
                .ifPresent(objects::add);
        objects.addAll(diffs.set("Constraint", old.path("Constraints"), now.path("Constraints")));
        diffs.object("Update", old.path("Update"), now.path("Update"), Set.of(), false)
                .filter(update -> !old.isMissingNode())
                .ifPresent(objects::add);
        objects.addAll(diffs.set("Affinity", old.path("Affinities"), now.path("Affinities")));
        objects.addAll(diffs.set("Spread", old.path("Spreads"), now.path("Spreads")));
        for (String launch : List.of("Periodic", "ParameterizedJob")) {
            diffs.object(launch, old.path(launch), now.path(launch), Set.of(), false)
                    .ifPresent(objects::add);
        }
        List<TaskGroupDiff> groups = groups(old.path("TaskGroups"), now.path("TaskGroups"));
        String type = Diffs.type(
                old,
                now,
                !fields.isEmpty()
                        || !objects.isEmpty()
                        || groups.stream().anyMatch(one -> !one.Type().equals("None")));
        return new JobDiff(
                Diffs.orNull(fields), now.path("ID").asString(), Diffs.orNull(objects), Diffs.orNull(groups), type);
    }

    private List<TaskGroupDiff> groups(JsonNode old, JsonNode now) throws Refused {
        List<TaskGroupDiff> groups = new ArrayList<>();
        for (Diffs.Pair each : Diffs.pairs(old, now)) {
            groups.add(group(each.name(), each.old(), each.now()));
        }
        return groups;
    }

    private TaskGroupDiff group(String name, JsonNode old, JsonNode now) throws Refused {
        place = ", group " + TextRule.quoted(name);
        List<FieldDiff> fields = new ArrayList<>();
        for (FieldDiff field : diffs.fields(old, now, NAME, false)) {
            fields.add(field.Name().equals("Count") ? withForce(field) : field);
        }
        fields.addAll(diffs.entries("Meta", old.path("Meta"), now.path("Meta")));
        List<ObjectDiff> objects =
                new ArrayList<>(diffs.set("Constraint", old.path("Constraints"), now.path("Constraints")));
        objects.addAll(diffs.set("Affinity", old.path("Affinities"), now.path("Affinities")));
        objects.addAll(diffs.set("Spread", old.path("Spreads"), now.path("Spreads")));
        for (String object : GROUP_OBJECTS) {
            Set<String> hidden = object.equals("Update") ? Set.of("Stagger") : Set.of();
            diffs.object(object, old.path(object), now.path(object), hidden, false)
                    .ifPresent(objects::add);
        }
        objects.addAll(diffs.set("Network", old.path("Networks"), now.path("Networks")));
        objects.addAll(diffs.blocks("Service", old.path("Services"), now.path("Services")));
        diffs.object("Scaling", old.path("Scaling"), now.path("Scaling"), OF_POLICY, false)
                .ifPresent(objects::add);
        objects.addAll(diffs.named("Volume", old.path("Volumes"), now.path("Volumes")));
        List<TaskDiff> tasks = tasks(old.path("Tasks"), now.path("Tasks"), name);
        String type = Diffs.type(
                old,
                now,
                !fields.isEmpty()
                        || !objects.isEmpty()
                        || tasks.stream().anyMatch(one -> !one.Type().equals("None")));
        return new TaskGroupDiff(
                Diffs.orNull(fields), name, Diffs.orNull(objects), Diffs.orNull(tasks), type, updates(name));
    }

    private List<TaskDiff> tasks(JsonNode old, JsonNode now, String group) throws Refused {
        List<TaskDiff> tasks = new ArrayList<>();
        for (Diffs.Pair each : Diffs.pairs(old, now)) {
            tasks.add(task(each.name(), each.old(), each.now(), group));
        }
        return tasks;
    }

    private TaskDiff task(String name, JsonNode old, JsonNode now, String group) throws Refused {
        place = ", group " + TextRule.quoted(group) + ", task " + TextRule.quoted(name);
        List<FieldDiff> fields = new ArrayList<>(diffs.fields(old, now, NAME, false));
        fields.addAll(diffs.entries("Env", old.path("Env"), now.path("Env")));
        fields.addAll(diffs.entries("Meta", old.path("Meta"), now.path("Meta")));
        List<ObjectDiff> objects =
                new ArrayList<>(diffs.set("Constraint", old.path("Constraints"), now.path("Constraints")));
        List<String> shown = new ArrayList<>(TASK_OBJECTS);
        if (!old.isMissingNode() && !now.isMissingNode()) {
            shown.addAll(CHANGED_TASK_OBJECTS);
        }
        for (String object : shown) {
            diffs.object(object, old.path(object), now.path(object), Set.of(), object.equals("Identity"))
                    .ifPresent(objects::add);
        }
        objects.addAll(diffs.set("Affinity", old.path("Affinities"), now.path("Affinities")));
        objects.addAll(diffs.blocks("Service", old.path("Services"), now.path("Services")));
        objects.addAll(diffs.set("VolumeMount", old.path("VolumeMounts"), now.path("VolumeMounts")));
        objects.addAll(diffs.set("Artifact", old.path("Artifacts"), now.path("Artifacts")));
        objects.addAll(diffs.set("Template", old.path("Templates"), now.path("Templates")));
        String type = Diffs.type(old, now, !fields.isEmpty() || !objects.isEmpty());
        return new TaskDiff(force(type, group), Diffs.orNull(fields), name, Diffs.orNull(objects), type);
    }

    private FieldDiff withForce(FieldDiff count) {
        if (counts == null) {
            return count;
        }
        long before = count.Old().isEmpty() ? 0 : Long.parseLong(count.Old());
        long after = count.New().isEmpty() ? 0 : Long.parseLong(count.New());
        return new FieldDiff(
                List.of(after > before ? "forces create" : "forces destroy"),
                count.Name(),
                count.New(),
                count.Old(),
                count.Type());
    }

    private @Nullable List<String> force(String type, String group) {
        if (counts == null) {
            return null;
        }
        return switch (type) {
            case "Added" -> List.of("forces create");
            case "Deleted" -> List.of("forces destroy");
            case "Edited" -> {
                PlannedCounts count = counts.get(group);
                yield List.of(
                        count != null && count.inPlaceUpdate() > 0
                                ? "forces in-place update"
                                : "forces create/destroy update");
            }
            default -> null;
        };
    }

    private @Nullable Map<String, Long> updates(String group) {
        PlannedCounts count = counts == null ? null : counts.get(group);
        if (count == null) {
            return null;
        }
        Map<String, Long> updates = new TreeMap<>();
        updates.put("create", (long) count.place() + count.reschedule());
        updates.put("canary", (long) count.canary());
        updates.put("destroy", (long) count.stop());
        updates.put("ignore", (long) count.ignore());
        updates.put("migrate", (long) count.migrate());
        updates.put("in-place update", (long) count.inPlaceUpdate());
        updates.put("create/destroy update", (long) count.destructiveUpdate());
        updates.values().removeIf(none -> none == 0);
        return updates;
    }
}
