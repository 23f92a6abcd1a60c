package io.cleat.state;

import io.cleat.model.MachinePrint;
import java.time.Instant;

/**
 * Somebody came as a node, with its id and secret, and is perhaps not the machine that the node was. He was not let in;
 * until a person decides, nothing new is placed on the node.
 *
 * @param why in words for people, without a full stop
 * @param bootId of who was not let in
 * @param machine his machine's marks
 * @param since when he first came
 */
public record Quarantine(String why, String bootId, MachinePrint machine, Instant since) {}
