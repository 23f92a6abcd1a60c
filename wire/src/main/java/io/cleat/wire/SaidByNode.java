package io.cleat.wire;

import io.cleat.model.NameRule;
import io.cleat.model.NodeFacts;
import java.util.List;
import java.util.Optional;

/**
 * Where all texts of a node's messages pass. A message that cannot be sent or kept would end the link, and be said
 * again on the next one, for ever. So, before anything else is done with it:
 *
 * <ul>
 *   <li>Texts for people (attributes, meta, descriptions, events, words of plugins, conditions) are made visible as by
 *       {@link io.cleat.base.VisibleText}, and cut. Maps and lists keep so many entries that the whole is kept in one
 *       decision: of events the newest, of maps the first by name.
 *   <li>Names of nodes are never changed; a node whose names break {@link NameRule} is refused by {@link #fault}. Names
 *       of tasks and volumes that break it name nothing, and are left out.
 *   <li>Ids and contexts of providers are never changed: the end of a call that holds an unfit one is a failure with
 *       unknown effect.
 * </ul>
 *
 * The node cleans what it sends, because what is half a character cannot be sent; the server cleans what it hears,
 * because it need not believe the node. The second time changes nothing.
 */
public final class SaidByNode {
    private SaidByNode() {}

    /** The message, in as many as it takes. */
    public static List<ToServer> clean(ToServer message) {
        return switch (message) {
            case ToServer.Hello(int version, String secret, NodeFacts facts, var obeyed) ->
                List.of(new ToServer.Hello(version, secret, clean(facts), obeyed));
            case ToServer.Facts(NodeFacts facts) -> List.of(new ToServer.Facts(clean(facts)));
            case ToServer.Allocations(var reports) -> ReportTexts.messages(reports);
            case ToServer.NodeEvents(var events) -> List.of(new ToServer.NodeEvents(ReportTexts.nodeEvents(events)));
            case ToServer.VolumeEvents(var volume, var events) ->
                List.of(new ToServer.VolumeEvents(volume, ReportTexts.volumeEvents(events)));
            case ToServer.OrderDone(String operationId, OrderOutcome outcome) ->
                List.of(new ToServer.OrderDone(operationId, OutcomeTexts.clean(outcome)));
            case ToServer.OrderState _,
                    ToServer.Heartbeat _,
                    ToServer.Holds _,
                    ToServer.ServicesWanted _,
                    ToServer.VariablesWanted _ -> List.of(message);
        };
    }

    /** The facts, fit to be kept but for the names that {@link #fault} judges. */
    public static NodeFacts clean(NodeFacts facts) {
        return FactTexts.clean(facts);
    }

    /** Why a node of these names cannot be let in; empty if it can. */
    public static Optional<String> fault(NodeFacts facts) {
        return NameRule.partFault("node id", facts.id())
                .or(() -> NameRule.partFault("node name", facts.name()))
                .or(() -> NameRule.partFault("datacenter", facts.datacenter()))
                .or(() -> NameRule.partFault("node pool", facts.nodePool()));
    }
}
