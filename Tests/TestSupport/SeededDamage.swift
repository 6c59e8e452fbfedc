import Foundation

/// A small, reproducible random number generator; a failing test prints its seed.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    /// SplitMix64.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Damaged copies of a valid input, for the tests of every parser.
package enum SeededDamage {
    /// Every proper prefix, from the empty one to the one that lacks the last byte.
    package static func prefixes(of bytes: [UInt8]) -> some Sequence<[UInt8]> {
        (0..<bytes.count).lazy.map { Array(bytes[..<$0]) }
    }

    /// Returns `count` copies with one to four bytes changed in each.
    package static func flips(of bytes: [UInt8], count: Int, seed: UInt64) -> [[UInt8]] {
        var generator = SeededGenerator(seed: seed)
        return (0..<count).map { _ in
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: damaged.indices, using: &generator)
                damaged[index] ^= UInt8.random(in: 1...255, using: &generator)
            }
            return damaged
        }
    }
}

/// How many samples a randomised test takes.
package enum TestDepth {
    /// Whether this is `scripts/test --long`, which sets `OTA_LONG`.
    package static let isLong = ProcessInfo.processInfo.environment["OTA_LONG"] != nil

    /// The number of samples in a normal and in a long run.
    package static func samples(_ few: Int, long many: Int) -> Int { isLong ? many : few }

    /// Seeds, as many as there are samples.
    package static func seeds(_ few: Int, long many: Int) -> [UInt64] {
        (1...samples(few, long: many)).map { UInt64($0) }
    }
}
