package io.cleat.cli;

import io.cleat.api.FieldDiff;
import io.cleat.api.JobDiff;
import io.cleat.api.ObjectDiff;
import io.cleat.api.TaskDiff;
import io.cleat.api.TaskGroupDiff;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How two versions of a job differ: one line per thing, its sign in front, parts below it. */
final class DiffView {
    private final boolean verbose;
    private final StringBuilder text = new StringBuilder();

    private DiffView(boolean verbose) {
        this.verbose = verbose;
    }

    /** The difference as text. What is wholly new or gone shows its fields with verbose only. */
    static String of(JobDiff diff, boolean verbose) {
        DiffView view = new DiffView(verbose);
        view.job(diff);
        return view.text.toString().stripTrailing();
    }

    private void job(JobDiff diff) {
        line(0, diff.Type(), "Job: \"" + diff.ID() + "\"");
        if (isDetailed(diff.Type())) {
            parts(1, diff.Fields(), diff.Objects());
        }
        for (TaskGroupDiff group : each(diff.TaskGroups())) {
            group(group);
        }
    }

    private void group(TaskGroupDiff diff) {
        line(0, diff.Type(), "Task Group: \"" + diff.Name() + "\"" + updates(diff.Updates()));
        if (isDetailed(diff.Type())) {
            parts(1, diff.Fields(), diff.Objects());
        }
        for (TaskDiff task : each(diff.Tasks())) {
            String forces = notes(task.Annotations());
            if (task.Type().equals("None") && forces.isEmpty() && !verbose) {
                continue;
            }
            line(1, task.Type(), "Task: \"" + task.Name() + "\"" + forces);
            if (isDetailed(task.Type())) {
                parts(2, task.Fields(), task.Objects());
            }
        }
    }

    private static String updates(@Nullable Map<String, Long> updates) {
        if (updates == null || updates.isEmpty()) {
            return "";
        }
        List<String> parts = new ArrayList<>();
        new TreeMap<>(updates).forEach((kind, count) -> parts.add(count + " " + kind));
        return " (" + String.join(", ", parts) + ")";
    }

    private boolean isDetailed(String type) {
        return verbose || type.equals("Edited");
    }

    private void parts(int depth, @Nullable List<FieldDiff> fields, @Nullable List<ObjectDiff> objects) {
        List<FieldDiff> shownFields =
                each(fields).stream().filter(one -> isShown(one.Type())).toList();
        List<ObjectDiff> shownObjects =
                each(objects).stream().filter(one -> isShown(one.Type())).toList();
        int sign = Stream.concat(
                        shownFields.stream().map(FieldDiff::Type),
                        shownObjects.stream().map(ObjectDiff::Type))
                .mapToInt(type -> sign(type).length())
                .max()
                .orElse(0);
        int width =
                shownFields.stream().mapToInt(one -> one.Name().length()).max().orElse(0);
        for (FieldDiff field : shownFields) {
            line(depth, sign, field.Type(), field(field, width));
        }
        for (ObjectDiff object : shownObjects) {
            line(depth, sign, object.Type(), object.Name() + " {");
            parts(depth + 1, object.Fields(), object.Objects());
            line(depth, sign, "None", "}");
        }
    }

    private boolean isShown(String type) {
        return verbose || !type.equals("None");
    }

    private static String field(FieldDiff field, int width) {
        String pad = " ".repeat(width - field.Name().length());
        String change = switch (field.Type()) {
            case "Deleted" -> quote(field.Old());
            case "Edited" -> quote(field.Old()) + " => " + quote(field.New());
            default -> quote(field.New());
        };
        return field.Name() + ": " + pad + change + notes(field.Annotations());
    }

    private static String notes(@Nullable List<String> annotations) {
        return annotations == null || annotations.isEmpty() ? "" : " (" + String.join(", ", annotations) + ")";
    }

    private void line(int depth, String type, String words) {
        line(depth, 0, type, words);
    }

    /** A line whose sign is as wide as its neighbours', so that the names below each other line up. */
    private void line(int depth, int width, String type, String words) {
        String sign = sign(type);
        text.repeat(' ', depth * 2).append(sign);
        text.repeat(' ', Math.max(0, width - sign.length())).append(words).append('\n');
    }

    private static String sign(String type) {
        return switch (type) {
            case "Added" -> "+ ";
            case "Deleted" -> "- ";
            case "Edited" -> "+/- ";
            default -> "";
        };
    }

    private static String quote(String value) {
        return '"' + value + '"';
    }

    private static <T> List<T> each(@Nullable List<T> list) {
        return list == null ? List.of() : list;
    }
}
