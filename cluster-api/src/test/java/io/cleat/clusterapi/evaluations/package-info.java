@NullMarked
package io.cleat.clusterapi.evaluations;

import org.jspecify.annotations.NullMarked;
