package io.cleat.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * How a job differs from the one stored before it, in the words that {@code job plan} prints. It
 * works on the JSON of both, so that a new value of a job is compared without being named here.
 */
public final class JobDiffs {
    private static final String ADDED = "Added";
    private static final String DELETED = "Deleted";

    /** What the server sets, or what other parts of the diff show. */
    private static final Set<String> NOT_THE_USERS =
            Set.of(
                    "CreateIndex",
                    "DispatchIdempotencyToken",
                    "ID",
                    "JobModifyIndex",
                    "ModifyIndex",
                    "NomadTokenID",
                    "Stable",
                    "Status",
                    "StatusDescription",
                    "SubmitTime",
                    "Version");

    /** In the order in which they are shown. */
    private static final List<String> GROUP_BLOCKS =
            List.of("RestartPolicy", "Migrate", "ReschedulePolicy", "EphemeralDisk", "Update");

    private static final List<String> TASK_BLOCKS =
            List.of("Config", "Resources", "LogConfig", "CSIPluginConfig");

    private JobDiffs() {}

    /**
     * @param before null for a job that is new
     * @param after in its stored form, as {@code before} is
     * @param updates what would be done, by group; empty if that was not found out
     */
    public static JobDiff between(
            @Nullable Job before, Job after, Map<String, DesiredUpdates> updates) {
        JsonNode old = before == null ? BlockDiffs.NOTHING : Json.toTree(before);
        JsonNode now = Json.toTree(after);
        List<FieldDiff> fields = BlockDiffs.changed(BlockDiffs.scalars(old, now, NOT_THE_USERS));
        List<ObjectDiff> objects = new ArrayList<>();
        BlockDiffs.addTexts("Datacenters", old, now, objects);
        BlockDiffs.addItems(
                "Constraint", old.path("Constraints"), now.path("Constraints"), objects);
        List<TaskGroupDiff> groups = new ArrayList<>();
        boolean isSame = before != null && fields.isEmpty() && objects.isEmpty();
        for (String name : names(old.path("TaskGroups"), now.path("TaskGroups"))) {
            TaskGroupDiff group =
                    group(
                            name,
                            named(old.path("TaskGroups"), name),
                            named(now.path("TaskGroups"), name),
                            updates.get(name));
            isSame &= group.Type().equals("None");
            groups.add(group);
        }
        return new JobDiff(
                BlockDiffs.orNull(fields),
                after.ID(),
                BlockDiffs.orNull(objects),
                BlockDiffs.orNull(groups),
                before == null ? ADDED : isSame ? "None" : "Edited");
    }

    private static TaskGroupDiff group(
            String name, JsonNode old, JsonNode now, @Nullable DesiredUpdates updates) {
        List<FieldDiff> fields = new ArrayList<>();
        for (FieldDiff field : BlockDiffs.changed(BlockDiffs.scalars(old, now, Set.of("Name")))) {
            fields.add(field.Name().equals("Count") ? withEffect(field) : field);
        }
        List<ObjectDiff> objects = new ArrayList<>();
        for (String block : GROUP_BLOCKS) {
            BlockDiffs.addBlock(
                    block, old.path(block), now.path(block), Set.of("Stagger"), objects);
        }
        BlockDiffs.addItems(
                "Constraint", old.path("Constraints"), now.path("Constraints"), objects);
        for (String alias : BlockDiffs.names(old.path("Volumes"), now.path("Volumes"))) {
            BlockDiffs.addBlock(
                    "Volume",
                    old.path("Volumes").path(alias),
                    now.path("Volumes").path(alias),
                    Set.of(),
                    objects);
        }
        List<TaskDiff> tasks = new ArrayList<>();
        boolean isSame = fields.isEmpty() && objects.isEmpty();
        for (String task : names(old.path("Tasks"), now.path("Tasks"))) {
            TaskDiff diff =
                    task(task, named(old.path("Tasks"), task), named(now.path("Tasks"), task));
            isSame &= diff.Type().equals("None");
            tasks.add(diff);
        }
        return new TaskGroupDiff(
                BlockDiffs.orNull(fields),
                name,
                BlockDiffs.orNull(objects),
                BlockDiffs.orNull(tasks),
                BlockDiffs.type(old, now, isSame),
                updates == null ? null : counts(updates));
    }

    private static TaskDiff task(String name, JsonNode old, JsonNode now) {
        List<FieldDiff> fields =
                new ArrayList<>(BlockDiffs.changed(BlockDiffs.scalars(old, now, Set.of("Name"))));
        fields.addAll(BlockDiffs.changed(BlockDiffs.entries("Env", old, now)));
        List<ObjectDiff> objects = new ArrayList<>();
        for (String block : TASK_BLOCKS) {
            BlockDiffs.addBlock(block, old.path(block), now.path(block), Set.of(), objects);
        }
        BlockDiffs.addItems(
                "Constraint", old.path("Constraints"), now.path("Constraints"), objects);
        BlockDiffs.addItems(
                "VolumeMount", old.path("VolumeMounts"), now.path("VolumeMounts"), objects);
        BlockDiffs.addItems("Artifact", old.path("Artifacts"), now.path("Artifacts"), objects);
        BlockDiffs.addItems("Template", old.path("Templates"), now.path("Templates"), objects);
        String type = BlockDiffs.type(old, now, fields.isEmpty() && objects.isEmpty());
        String effect =
                switch (type) {
                    case ADDED -> "forces create";
                    case DELETED -> "forces destroy";
                    case "None" -> "";
                    default -> "forces create/destroy update";
                };
        return new TaskDiff(
                effect.isEmpty() ? null : List.of(effect),
                BlockDiffs.orNull(fields),
                name,
                BlockDiffs.orNull(objects),
                type);
    }

    /** More allocations are made, fewer destroyed. */
    private static FieldDiff withEffect(FieldDiff count) {
        long old = count.Old().isEmpty() ? 0 : Long.parseLong(count.Old());
        long now = count.New().isEmpty() ? 0 : Long.parseLong(count.New());
        return new FieldDiff(
                List.of(now > old ? "forces create" : "forces destroy"),
                count.Name(),
                count.New(),
                count.Old(),
                count.Type());
    }

    private static @Nullable Map<String, Long> counts(DesiredUpdates updates) {
        Map<String, Long> counts = new TreeMap<>();
        counts.put("ignore", updates.Ignore());
        counts.put("create", updates.Place());
        counts.put("destroy", updates.Stop());
        counts.put("migrate", updates.Migrate());
        counts.put("in-place update", updates.InPlaceUpdate());
        counts.put("create/destroy update", updates.DestructiveUpdate());
        counts.values().removeIf(count -> count == 0);
        return counts.isEmpty() ? null : counts;
    }

    private static Set<String> names(JsonNode old, JsonNode now) {
        Set<String> names = new TreeSet<>();
        old.forEach(item -> names.add(item.path("Name").asString("")));
        now.forEach(item -> names.add(item.path("Name").asString("")));
        return names;
    }

    private static JsonNode named(JsonNode items, String name) {
        for (JsonNode item : items) {
            if (item.path("Name").asString("").equals(name)) {
                return item;
            }
        }
        return BlockDiffs.NOTHING;
    }
}
