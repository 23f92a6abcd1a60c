package io.cleat.schedule;

import io.cleat.model.Constraint;
import io.cleat.state.NodeRow;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A constraint on a node's attributes: the job's, the group's or a task's. */
final class ConstraintFilter implements NodeFilter {
    private final Constraint constraint;
    private final Searches searches;

    /** @param searches those of the whole evaluation */
    ConstraintFilter(Constraint constraint, Searches searches) {
        this.constraint = constraint;
        this.searches = searches;
    }

    @Override
    public Optional<Rejection> reject(NodeRow node) {
        String left = Attributes.resolve(constraint.left(), node.facts());
        String right = Attributes.resolve(constraint.right(), node.facts());
        if (isMet(constraint.operand(), left, right)) {
            return Optional.empty();
        }
        String reason = constraint.toString().strip();
        boolean isRefused = constraint.operand().equals("regexp")
                && left != null
                && right != null
                && searches.find(right, left) == Searches.Found.REFUSED;
        return Optional.of(
                Rejection.of(isRefused ? reason + " (the expression cannot be read, or takes too long)" : reason));
    }

    boolean isMet(NodeRow node) {
        return isMet(
                constraint.operand(),
                Attributes.resolve(constraint.left(), node.facts()),
                Attributes.resolve(constraint.right(), node.facts()));
    }

    boolean isMet(String operand, @Nullable String left, @Nullable String right) {
        return switch (operand) {
            case "is_set" -> left != null;
            case "is_not_set" -> left == null;
            case "!=", "not" -> left == null ? right != null : !left.equals(right);
            default -> left != null && right != null && compares(operand, left, right);
        };
    }

    private boolean compares(String operand, String left, String right) {
        return switch (operand) {
            case "=", "==", "is" -> left.equals(right);
            case "<" -> order(left, right) < 0;
            case "<=" -> order(left, right) <= 0;
            case ">" -> order(left, right) > 0;
            case ">=" -> order(left, right) >= 0;
            case "version" ->
                VersionRange.parse(right, true)
                        .map(range -> range.contains(left))
                        .orElse(false);
            case "semver" ->
                VersionRange.parse(right, false)
                        .map(range -> range.contains(left))
                        .orElse(false);
            case "regexp" -> searches.find(right, left) == Searches.Found.YES;
            case "set_contains", "set_contains_all" -> set(left).containsAll(set(right));
            case "set_contains_any" -> set(right).stream().anyMatch(set(left)::contains);
            default -> false;
        };
    }

    /** Numbers by their value, other words by their letters. */
    private static int order(String left, String right) {
        try {
            return Double.compare(Double.parseDouble(left), Double.parseDouble(right));
        } catch (NumberFormatException words) {
            return left.compareTo(right);
        }
    }

    private static Set<String> set(String list) {
        List<String> parts = Arrays.asList(list.split(",", -1));
        return parts.stream().map(String::strip).collect(Collectors.toCollection(TreeSet::new));
    }
}
