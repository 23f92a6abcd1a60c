package io.cleat.wire;

import io.cleat.base.Effect;

/** How a controller call ended, over all its tries. */
public sealed interface OrderOutcome {
    record Done(ControllerReply reply) implements OrderOutcome {}

    /**
     * The call failed.
     *
     * @param effect {@link Effect#NONE} if it surely did nothing, else {@link Effect#UNKNOWN}
     * @param code the gRPC status, such as {@code NotFound}
     * @param message the plugin's words, ending in {@code rpc error: code = .. desc = ..}
     */
    record Failed(Effect effect, String code, String message) implements OrderOutcome {}
}
