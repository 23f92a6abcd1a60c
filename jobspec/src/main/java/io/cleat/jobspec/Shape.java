package io.cleat.jobspec;

import io.cleat.api.JobBlock;
import io.cleat.api.JobField;
import io.cleat.jobspec.hcl.Faults;
import io.cleat.jobspec.hcl.Span;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** What a block may hold, and what each part is called in JSON. Built once, then only read. */
final class Shape {
    /** The name of a list that takes the place of the object around it. */
    static final String UNWRAPPED = "";

    private final String name;
    private Optional<String> label = Optional.empty();
    private final Map<String, Attribute> attributes = new LinkedHashMap<>();
    private final Map<String, Nested> blocks = new LinkedHashMap<>();
    private final Set<String> later = new LinkedHashSet<>();
    private final Set<String> required = new LinkedHashSet<>();
    private Finish finish = (fields, at, faults) -> {};

    /** An attribute. */
    record Attribute(String json, Kind kind) {}

    /** A block inside. */
    record Nested(String json, Repeat repeat, Shape shape) {}

    /** How often a block may stand, and what it is in JSON. */
    enum Repeat {
        /** At most once: an object. */
        ONCE,
        /** Any number: a list; of those with labels, each label once. */
        LIST,
        /** Any number, each label once: an object by label. */
        BY_LABEL,
        /** At most once, texts by name; may be an attribute instead. */
        MAP,
        /** As {@link #MAP}, of lists of texts. */
        LISTS,
        /** At most once, anything. */
        OPAQUE;

        /** Whether it may be written as an attribute instead. */
        boolean isMap() {
            return this == MAP || this == LISTS;
        }

        /** Of the attribute that it may be. */
        Kind whole() {
            return Kind.map(each());
        }

        /** Of each of its lines. */
        Kind each() {
            return this == LISTS ? Kind.texts() : Kind.text();
        }
    }

    /** What is done when all parts of a block are read. */
    @FunctionalInterface
    interface Finish {
        void apply(Tree.Fields fields, Span at, Faults faults);
    }

    private Shape(String name) {
        this.name = name;
    }

    /** A block that messages call {@code name}. */
    static Shape of(String name) {
        return new Shape(name);
    }

    /**
     * A block of a job.
     *
     * @param inside what a block in it is
     */
    static Shape of(JobBlock<?, ?> block, Function<JobBlock<?, ?>, Shape> inside) {
        Shape shape = of(block.name());
        for (JobField field : block.fields()) {
            if (!field.file().isEmpty()) {
                shape.field(field, inside);
            }
        }
        return shape.later(block.later().toArray(String[]::new));
    }

    private void field(JobField field, Function<JobBlock<?, ?>, Shape> inside) {
        String hcl = field.file();
        String json = field.json();
        JobBlock<?, ?> block = field.block();
        Shape shape = block == null ? of(hcl) : inside.apply(block);
        switch (field.kind()) {
            case TEXT -> with(hcl, json, field.words().isEmpty() ? Kind.text() : Kind.oneOf(field.words()));
            case NUMBER -> integer(hcl, json);
            case FLAG -> bool(hcl, json);
            case DURATION -> duration(hcl, json);
            case TEXTS -> texts(hcl, json);
            case TEXTS_BY_NAME -> map(hcl, json);
            case LISTS_BY_NAME -> lists(hcl, json);
            case OPAQUE -> block(hcl, json, Repeat.OPAQUE, shape);
            case LABEL -> label(json);
            case BLOCK -> block(hcl, json, Repeat.ONCE, shape);
            case BLOCKS -> block(hcl, json, Repeat.LIST, shape);
            case BLOCKS_BY_LABEL -> block(hcl, json, Repeat.BY_LABEL, shape);
        }
        if (field.isRequired()) {
            required(hcl);
        }
    }

    Shape label(String json) {
        label = Optional.of(json);
        return this;
    }

    Shape with(String hcl, String json, Kind kind) {
        attributes.put(hcl, new Attribute(json, kind));
        return this;
    }

    Shape text(String hcl, String json) {
        return with(hcl, json, Kind.text());
    }

    Shape integer(String hcl, String json) {
        return with(hcl, json, Kind.integer());
    }

    Shape bool(String hcl, String json) {
        return with(hcl, json, Kind.bool());
    }

    Shape duration(String hcl, String json) {
        return with(hcl, json, Kind.duration());
    }

    Shape texts(String hcl, String json) {
        return with(hcl, json, Kind.texts());
    }

    Shape block(String hcl, String json, Repeat repeat, Shape shape) {
        blocks.put(hcl, new Nested(json, repeat, shape));
        return this;
    }

    /** Texts by name, as a block or as an attribute. */
    Shape map(String hcl, String json) {
        return block(hcl, json, Repeat.MAP, Shape.of(hcl));
    }

    /** Lists of texts by name, likewise. */
    Shape lists(String hcl, String json) {
        return block(hcl, json, Repeat.LISTS, Shape.of(hcl));
    }

    /** Names that the language has and this version does not. */
    Shape later(String... names) {
        later.addAll(List.of(names));
        return this;
    }

    /** Attributes and blocks that must be there. */
    Shape required(String... names) {
        required.addAll(List.of(names));
        return this;
    }

    Shape finish(Finish work) {
        finish = work;
        return this;
    }

    String name() {
        return name;
    }

    Optional<String> label() {
        return label;
    }

    Map<String, Attribute> attributes() {
        return attributes;
    }

    Map<String, Nested> blocks() {
        return blocks;
    }

    Set<String> later() {
        return later;
    }

    Set<String> required() {
        return required;
    }

    Finish finish() {
        return finish;
    }

    /** All names that may stand in the block. */
    Set<String> names() {
        Set<String> names = new LinkedHashSet<>(attributes.keySet());
        names.addAll(blocks.keySet());
        return names;
    }
}
