package io.cleat.jobspec.hcl;

import java.util.List;
import java.util.Map;

/**
 * What stands between two braces, or in the whole file, as it is written.
 *
 * @param broken a part of it could not be read, so what seems to be missing may be there
 */
record Body(Map<String, Attribute> attributes, List<Block> blocks, boolean broken) {

    /** {@code name = value}. */
    record Attribute(String name, Span nameAt, Expr value) {}

    /** <code>type "label" { body }</code>. */
    record Block(String type, Span typeAt, List<Label> labels, Body body) {}

    /** A label of a block. */
    record Label(String text, Span at) {}
}
