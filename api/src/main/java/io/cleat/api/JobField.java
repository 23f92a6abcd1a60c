package io.cleat.api;

import io.cleat.model.WireNamed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A field of a block of a job, a line of a {@link JobBlock}. Its names in a job file and in the model follow from that
 * in JSON ({@code HealthTimeout}: {@code health_timeout}, {@code healthTimeout}) unless others are given.
 *
 * @param json its name on the wire
 * @param file its name in a job file; empty for none there
 * @param model its name in the model; empty for none there
 * @param words the only values that it may have in a job file; empty for any
 * @param block what stands in it; null unless it is a block or several
 * @param usual its value where none is given, as the wire has it; null for none
 * @param usualOfBatch likewise, in jobs that end
 * @param isRequired whether a job file has to give it
 * @param limits what it may not be
 * @param isNoneIfEmpty whether an empty list is filled in as none at all
 * @param isInherited whether what is usual in the block depends on the job around it, and is filled in with that
 */
public record JobField(
        String json,
        String file,
        String model,
        Kind kind,
        List<String> words,
        @Nullable JobBlock<?, ?> block,
        @Nullable Object usual,
        @Nullable Object usualOfBatch,
        boolean isRequired,
        List<FieldLimit> limits,
        boolean isNoneIfEmpty,
        boolean isInherited) {

    /** Where a word of a name begins: at a capital after a small letter, or at the last of several capitals. */
    private static final Pattern WORD = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");

    /** What a field holds. */
    public enum Kind {
        TEXT,
        /** A whole number. */
        NUMBER,
        FLAG,
        /** Nanoseconds on the wire. */
        DURATION,
        /** A list. */
        TEXTS,
        /** Texts by name. */
        TEXTS_BY_NAME,
        /** Lists of texts by name. */
        LISTS_BY_NAME,
        /** What only a driver or an autoscaler reads: kept as it was given. */
        OPAQUE,
        /** Text that stands behind the name of the block in a job file. */
        LABEL,
        /** A block that may be there once. */
        BLOCK,
        /** Any number of blocks: a list. */
        BLOCKS,
        /** Any number of blocks, each with another label: an object by label. */
        BLOCKS_BY_LABEL
    }

    private static JobField of(Kind kind, String json, @Nullable JobBlock<?, ?> block) {
        List<String> words = Arrays.asList(WORD.split(json));
        String file = String.join("_", words).toLowerCase(Locale.ROOT);
        String model = words.getFirst().toLowerCase(Locale.ROOT)
                + json.substring(words.getFirst().length());
        return new JobField(json, file, model, kind, List.of(), block, null, null, false, List.of(), false, false);
    }

    static JobField text(String json) {
        return of(Kind.TEXT, json, null);
    }

    /** A text that is one of the names of an enum. */
    static <E extends Enum<E> & WireNamed> JobField word(String json, Class<E> type) {
        return text(json)
                .oneOf(Arrays.stream(type.getEnumConstants())
                        .map(WireNamed::wire)
                        .toList());
    }

    static JobField number(String json) {
        return of(Kind.NUMBER, json, null);
    }

    static JobField flag(String json) {
        return of(Kind.FLAG, json, null);
    }

    static JobField duration(String json) {
        return of(Kind.DURATION, json, null);
    }

    static JobField texts(String json) {
        return of(Kind.TEXTS, json, null);
    }

    static JobField textsByName(String json) {
        return of(Kind.TEXTS_BY_NAME, json, null);
    }

    static JobField listsByName(String json) {
        return of(Kind.LISTS_BY_NAME, json, null);
    }

    static JobField opaque(String json) {
        return of(Kind.OPAQUE, json, null);
    }

    static JobField label(String json) {
        return of(Kind.LABEL, json, null);
    }

    /** {@code block}, by the name that it has in job files. */
    static JobField block(String json, JobBlock<?, ?> block) {
        return of(Kind.BLOCK, json, block).inFile(block.name());
    }

    static JobField blocks(String json, JobBlock<?, ?> block) {
        return of(Kind.BLOCKS, json, block).inFile(block.name());
    }

    static JobField blocksByLabel(String json, JobBlock<?, ?> block) {
        return of(Kind.BLOCKS_BY_LABEL, json, block).inFile(block.name());
    }

    /** Has another name in job files. */
    JobField inFile(String name) {
        return Edit.of(this).set(JobField::file, name).done();
    }

    /** Is in neither: a server says it, or it is refused. */
    JobField onlyOnWire() {
        return inFile("").notInModel();
    }

    /** Has another name in the model. */
    JobField inModel(String name) {
        return Edit.of(this).set(JobField::model, name).done();
    }

    /** Is not in the model, or not alone: see {@link JobBlock.Lines#taken} and {@link JobBlock.Lines#shown}. */
    JobField notInModel() {
        return inModel("");
    }

    /** A job file has one of these words, or nothing. */
    JobField oneOf(List<String> known) {
        return Edit.of(this).set(JobField::words, known).done();
    }

    JobField required() {
        return Edit.of(this).set(JobField::isRequired, true).done();
    }

    /** Nomad has it and this version does not carry it out: it is refused, never ignored, and not in the model. */
    JobField unsupported(String what) {
        return unsupported(what, "remove it");
    }

    /**
     * As {@link #unsupported(String)}.
     *
     * @param what the field, as the user knows it
     * @param instead what to do instead
     */
    JobField unsupported(String what, String instead) {
        return refused(UnsupportedParts.text(what, instead));
    }

    /** A part that the provider {@code nomad} has no use for: it is refused, and not in the model. */
    JobField ofConsul(String what) {
        return refused(what + " is for services of the provider \"consul\" only; remove it");
    }

    private JobField refused(String text) {
        return notInModel().limited(FieldLimit.refused(text));
    }

    /** Whoever gives nothing is told so. */
    JobField needed(String text) {
        return limited(FieldLimit.needed(text));
    }

    /** @param text what whoever gives less is told, with {@code %s} for what was given */
    JobField atLeast(long least, String text) {
        return limited(FieldLimit.atLeast(least, text));
    }

    /** @param text likewise */
    JobField between(long least, long most, String text) {
        return limited(FieldLimit.between(least, most, text));
    }

    /** @param text what whoever gives none of {@link #words} is told, likewise */
    JobField elseTold(String text) {
        return limited(FieldLimit.among(words, text));
    }

    private JobField limited(FieldLimit limit) {
        List<FieldLimit> all = new ArrayList<>(limits);
        all.add(limit);
        return Edit.of(this).set(JobField::limits, List.copyOf(all)).done();
    }

    /** An empty list of it is shown as none. */
    JobField noneIfEmpty() {
        return Edit.of(this).set(JobField::isNoneIfEmpty, true).done();
    }

    /** What is usual in it depends on the job, and is filled in by {@link Canonical}. */
    JobField inherited() {
        return Edit.of(this).set(JobField::isInherited, true).done();
    }

    JobField usually(Object value) {
        return usually(value, value);
    }

    /** @param ofBatch what is usual in jobs that end */
    JobField usually(Object value, Object ofBatch) {
        return Edit.of(this)
                .set(JobField::usual, wire(value))
                .set(JobField::usualOfBatch, wire(ofBatch))
                .done();
    }

    /** Whether a value of it says something. */
    static boolean says(@Nullable Object value) {
        return switch (value) {
            case null -> false;
            case String text -> !text.isEmpty();
            case Boolean flag -> flag;
            case Number number -> number.longValue() != 0;
            case RawJson json -> !json.isEmpty();
            case Collection<?> several -> !several.isEmpty();
            case Map<?, ?> byName -> !byName.isEmpty();
            default -> true;
        };
    }

    private static Object wire(Object value) {
        return switch (value) {
            case Duration duration -> duration.toNanos();
            case WireNamed named -> named.wire();
            default -> value;
        };
    }
}
