package io.cleat.driverkit;

import io.cleat.driverschema.SpecProto;

/** One field of a {@link BlockShape}: an attribute, or blocks within the block. */
public final class BlockField {
    private final String name;
    private final SpecProto.Spec spec;

    private BlockField(String name, SpecProto.Spec spec) {
        this.name = name;
        this.spec = spec;
    }

    /** A text. */
    public static BlockField text(String name) {
        return typed(name, "string");
    }

    /** A number. */
    public static BlockField number(String name) {
        return typed(name, "number");
    }

    /** True or false. */
    public static BlockField flag(String name) {
        return typed(name, "bool");
    }

    /** A list of texts. */
    public static BlockField texts(String name) {
        return typed(name, "list(string)");
    }

    /**
     * A field of any type.
     *
     * @param type an expression such as {@code map(number)}
     */
    public static BlockField typed(String name, String type) {
        return new BlockField(name, attribute(name, type, false));
    }

    /** One block of that name, or none. */
    public static BlockField block(String name, BlockShape shape) {
        return new BlockField(
                name,
                SpecProto.Spec.newBuilder()
                        .setBlockValue(
                                SpecProto.Block.newBuilder().setName(name).setNested(shape.spec()))
                        .build());
    }

    /** Any number of blocks of that name. */
    public static BlockField blocks(String name, BlockShape shape) {
        return new BlockField(
                name,
                SpecProto.Spec.newBuilder()
                        .setBlockList(
                                SpecProto.BlockList.newBuilder().setName(name).setNested(shape.spec()))
                        .build());
    }

    private static SpecProto.Spec attribute(String name, String type, boolean isRequired) {
        return SpecProto.Spec.newBuilder()
                .setAttr(SpecProto.Attr.newBuilder().setName(name).setType(type).setRequired(isRequired))
                .build();
    }

    /** The same, which a block must have. Of an attribute without a default. */
    public BlockField required() {
        SpecProto.Attr attr = spec.getAttr();
        return new BlockField(name, attribute(attr.getName(), attr.getType(), true));
    }

    /** The same, of which that is the value where a block has none. */
    public BlockField or(String value) {
        return orLiteral('"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"');
    }

    /** The same, of which that is the value where a block has none. */
    public BlockField or(long value) {
        return orLiteral(Long.toString(value));
    }

    /** The same, of which that is the value where a block has none. */
    public BlockField or(boolean value) {
        return orLiteral(Boolean.toString(value));
    }

    private BlockField orLiteral(String literal) {
        SpecProto.Spec.Builder value = SpecProto.Spec.newBuilder()
                .setLiteral(SpecProto.Literal.newBuilder().setValue(literal));
        return new BlockField(
                name,
                SpecProto.Spec.newBuilder()
                        .setDefault(
                                SpecProto.Default.newBuilder().setPrimary(spec).setDefault(value))
                        .build());
    }

    String name() {
        return name;
    }

    SpecProto.Spec spec() {
        return spec;
    }
}
