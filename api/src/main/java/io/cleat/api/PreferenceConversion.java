package io.cleat.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The part of {@link JobConversion} and {@link Canonical} for what nodes should be. */
final class PreferenceConversion {
    private static final int USUAL = 50;

    private PreferenceConversion() {}

    static @Nullable List<Affinity> affinitiesFilledIn(@Nullable List<Affinity> given) {
        return Canonical.each(
                given,
                one -> Edit.of(one)
                        .orElse(Affinity::Operand, "=")
                        .orElse(Affinity::Weight, USUAL)
                        .done());
    }

    static @Nullable List<Spread> spreadsFilledIn(@Nullable List<Spread> given) {
        return Canonical.each(
                given, one -> Edit.of(one).orElse(Spread::Weight, USUAL).done());
    }

    static List<io.cleat.model.Affinity> affinities(@Nullable List<Affinity> given) {
        return JobConversion.listOf(given).stream()
                .map(each -> new io.cleat.model.Affinity(
                        new io.cleat.model.Constraint(each.LTarget(), each.Operand(), each.RTarget()),
                        Canonical.or(each.Weight(), USUAL)))
                .toList();
    }

    static @Nullable List<Affinity> wireAffinities(List<io.cleat.model.Affinity> given) {
        return given.isEmpty()
                ? null
                : given.stream()
                        .map(each -> new Affinity(
                                each.condition().left(),
                                each.condition().operand(),
                                each.condition().right(),
                                each.weight()))
                        .toList();
    }

    static List<io.cleat.model.Spread> spreads(@Nullable List<Spread> given) {
        return JobConversion.listOf(given).stream()
                .map(each -> new io.cleat.model.Spread(
                        each.Attribute(),
                        Canonical.or(each.Weight(), USUAL),
                        JobConversion.listOf(each.SpreadTarget()).stream()
                                .map(target -> new io.cleat.model.Spread.Target(target.Value(), target.Percent()))
                                .toList()))
                .toList();
    }

    static @Nullable List<Spread> wireSpreads(List<io.cleat.model.Spread> given) {
        return given.isEmpty()
                ? null
                : given.stream()
                        .map(each -> new Spread(
                                each.attribute(),
                                each.targets().isEmpty()
                                        ? null
                                        : each.targets().stream()
                                                .map(target -> new SpreadTarget(target.percent(), target.value()))
                                                .toList(),
                                each.weight()))
                        .toList();
    }
}
