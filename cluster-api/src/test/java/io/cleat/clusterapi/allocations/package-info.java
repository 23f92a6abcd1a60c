@NullMarked
package io.cleat.clusterapi.allocations;

import org.jspecify.annotations.NullMarked;
