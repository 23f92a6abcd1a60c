package io.cleat.jobspec;

import io.cleat.jobspec.hcl.Faults;
import io.cleat.jobspec.hcl.Nearest;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A task mounts only volumes of its group. */
final class MountRule {
    private MountRule() {}

    static void check(Tree.Fields job, Faults faults) {
        for (Tree group : items(job.get("TaskGroups"))) {
            if (group instanceof Tree.Fields fields) {
                Set<String> volumes = fields.get("Volumes") instanceof Tree.Fields known
                        ? known.fields().keySet()
                        : Set.of();
                for (Tree task : items(fields.get("Tasks"))) {
                    task(task, volumes, faults);
                }
            }
        }
    }

    private static List<Tree> items(@Nullable Tree tree) {
        return tree instanceof Tree.Many many ? many.items() : List.of();
    }

    private static void task(Tree task, Set<String> volumes, Faults faults) {
        if (!(task instanceof Tree.Fields fields)) {
            return;
        }
        for (Tree mount : items(fields.get("VolumeMounts"))) {
            if (mount instanceof Tree.Fields of) {
                String name = of.text("Volume");
                Tree.Field given = of.fields().get("Volume");
                if (name != null && given != null && !volumes.contains(name)) {
                    faults.add(
                            given.value().at(),
                            "Unknown volume",
                            "The group has no volume \"" + name + "\"." + Nearest.hint(name, volumes));
                }
            }
        }
    }
}
