package io.cleat.driverkit;

import io.cleat.driverschema.SpecProto;
import java.util.List;

/**
 * What a block of a job file or of the operator's settings may hold: its fields by name. A block with anything else is
 * refused before the driver sees it.
 */
public final class BlockShape {
    private final List<BlockField> fields;

    private BlockShape(List<BlockField> fields) {
        this.fields = fields;
    }

    /** A block with these fields. */
    public static BlockShape of(BlockField... fields) {
        return new BlockShape(List.of(fields));
    }

    SpecProto.Spec spec() {
        SpecProto.Object.Builder object = SpecProto.Object.newBuilder();
        fields.forEach(field -> object.putAttributes(field.name(), field.spec()));
        return SpecProto.Spec.newBuilder().setObject(object).build();
    }
}
