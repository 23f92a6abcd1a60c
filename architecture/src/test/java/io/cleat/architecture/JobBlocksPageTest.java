package io.cleat.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.cleat.api.FieldLimit;
import io.cleat.api.JobBlock;
import io.cleat.api.JobBlocks;
import io.cleat.api.JobField;
import io.cleat.api.JobField.Kind;
import io.cleat.base.Durations;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** docs/job-blocks.md says of each field of a job file what its table says. */
final class JobBlocksPageTest {
    private static final String BEGIN = "<!-- The tables below are written from JobBlocks. -->\n";

    @Test
    void eachFieldStandsThere() {
        String page = Tree.text(Tree.ROOT.resolve("docs/job-blocks.md"));
        int begin = page.indexOf(BEGIN) + BEGIN.length();
        assertEquals(tables(), page.substring(begin), "take the expected text over into the page");
    }

    private static String tables() {
        Map<String, JobBlock<?, ?>> blocks = new LinkedHashMap<>();
        collect(JobBlocks.JOB, blocks);
        return blocks.values().stream().map(JobBlocksPageTest::table).collect(Collectors.joining());
    }

    private static void collect(JobBlock<?, ?> block, Map<String, JobBlock<?, ?>> blocks) {
        if (blocks.putIfAbsent(block.name(), block) == null) {
            for (JobField field : block.fields()) {
                if (field.block() != null && !field.file().isEmpty()) {
                    collect(field.block(), blocks);
                }
            }
        }
    }

    private static String table(JobBlock<?, ?> block) {
        String label = block.fields().stream().anyMatch(field -> field.kind() == Kind.LABEL) ? " \"NAME\"" : "";
        StringBuilder text = new StringBuilder("\n## %s\n\n".formatted(block.name()));
        text.append("`%s%s { ... }`\n\n| Field | In JSON | What | Usual |\n|---|---|---|---|\n"
                .formatted(block.name(), label));
        for (JobField field : block.fields()) {
            if (!field.file().isEmpty()) {
                text.append("| %s | `%s` | %s | %s |\n"
                        .formatted(
                                field.kind() == Kind.LABEL ? "NAME" : "`" + field.file() + "`",
                                field.json(),
                                what(field),
                                usual(field)));
            }
        }
        return text.toString();
    }

    private static String what(JobField field) {
        String what = switch (field.kind()) {
            case TEXT, LABEL -> field.words().isEmpty() ? "text" : String.join(", ", field.words());
            case NUMBER -> "whole number";
            case FLAG -> "true or false";
            case DURATION -> "duration";
            case TEXTS -> "list of texts";
            case TEXTS_BY_NAME -> "texts by name";
            case LISTS_BY_NAME -> "lists of texts by name";
            case OPAQUE -> "a block, read by others";
            case BLOCK -> "block " + link(field);
            case BLOCKS -> "blocks " + link(field);
            case BLOCKS_BY_LABEL -> "blocks " + link(field) + ", each with a name of its own";
        };
        Stream<String> limits = field.limits().stream().map(FieldLimit::shown).filter(shown -> !shown.isEmpty());
        return Stream.concat(
                        Stream.of(what), Stream.concat(required(field), limits).distinct())
                .collect(Collectors.joining("; "));
    }

    private static Stream<String> required(JobField field) {
        return field.isRequired() ? Stream.of("required") : Stream.empty();
    }

    private static String link(JobField field) {
        String name = Objects.requireNonNull(field.block()).name();
        return "[%s](#%s)".formatted(name, name);
    }

    private static String usual(JobField field) {
        String usual = shown(field, field.usual());
        String ofBatch = shown(field, field.usualOfBatch());
        return usual.equals(ofBatch) ? usual : usual + "; in batch jobs " + ofBatch;
    }

    private static String shown(JobField field, @Nullable Object value) {
        return switch (value) {
            case null -> "";
            case String text -> text.isEmpty() ? "" : "`" + text + "`";
            case Long nanos when field.kind() == Kind.DURATION -> Durations.format(nanos);
            default -> value.toString();
        };
    }
}
