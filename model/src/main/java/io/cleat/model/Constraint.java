package io.cleat.model;

/**
 * A condition a node must meet.
 *
 * @param left what is compared, such as <code>${attr.kernel.name}</code>
 * @param operand one of the operators of the job file, such as {@code =} or {@code version}
 * @param right what it is compared with
 */
public record Constraint(String left, String operand, String right) {
    @Override
    public String toString() {
        return left + " " + operand + " " + right;
    }
}
