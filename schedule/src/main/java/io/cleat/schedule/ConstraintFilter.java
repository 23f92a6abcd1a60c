package io.cleat.schedule;

import io.cleat.model.Constraint;
import io.cleat.state.NodeRow;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A constraint on a node's attributes: the job's, the group's or a task's. */
final class ConstraintFilter implements NodeFilter {
    private final Constraint constraint;

    ConstraintFilter(Constraint constraint) {
        this.constraint = constraint;
    }

    @Override
    public Optional<Rejection> reject(NodeRow node) {
        String left = Attributes.resolve(constraint.left(), node.facts());
        String right = Attributes.resolve(constraint.right(), node.facts());
        return isMet(constraint.operand(), left, right)
                ? Optional.empty()
                : Optional.of(Rejection.of(constraint.toString().strip()));
    }

    static boolean isMet(String operand, @Nullable String left, @Nullable String right) {
        return switch (operand) {
            case "is_set" -> left != null;
            case "is_not_set" -> left == null;
            case "!=", "not" -> left == null ? right != null : !left.equals(right);
            default -> left != null && right != null && compares(operand, left, right);
        };
    }

    private static boolean compares(String operand, String left, String right) {
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
            case "regexp" -> matches(left, right);
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

    private static boolean matches(String text, String pattern) {
        try {
            return Pattern.compile(pattern).matcher(text).find();
        } catch (PatternSyntaxException e) {
            return false;
        }
    }

    private static Set<String> set(String list) {
        List<String> parts = Arrays.asList(list.split(",", -1));
        return parts.stream().map(String::strip).collect(Collectors.toCollection(TreeSet::new));
    }
}
