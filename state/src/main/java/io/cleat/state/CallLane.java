package io.cleat.state;

import io.cleat.model.LaneWidths;
import io.cleat.model.WireNamed;

/**
 * The lanes of one plugin: controller calls of a kind, of which a number ({@link LaneWidths}) is made at once, so that
 * many slow ones of one kind do not hold up those of another. Calls about one volume are made one after the other
 * whatever their lanes.
 *
 * <p>Together the lanes are narrower than what a node has in flight to one plugin (64), so that the node service's
 * calls keep room.
 */
public enum CallLane implements WireNamed {
    ATTACH("attach"),
    DETACH("detach"),
    /** Creating, and confirming what is registered. */
    CREATE("create"),
    DELETE("delete"),
    EXPAND("expand"),
    SNAPSHOT("snapshot");

    private final String wire;

    CallLane(String wire) {
        this.wire = wire;
    }

    @Override
    public String wire() {
        return wire;
    }

    /** How many of its calls are made at once. */
    public int width(LaneWidths widths) {
        return widths.of(wire);
    }

    public static CallLane of(OperationCall call) {
        return switch (call) {
            case OperationCall.Publish _ -> ATTACH;
            case OperationCall.Unpublish _ -> DETACH;
            case OperationCall.Create _, OperationCall.Validate _ -> CREATE;
            case OperationCall.Delete _ -> DELETE;
            case OperationCall.Expand _ -> EXPAND;
            case OperationCall.CreateSnapshot _, OperationCall.DeleteSnapshot _ -> SNAPSHOT;
        };
    }
}
