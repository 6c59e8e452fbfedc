/// A version in 32 bits: 16 for the first number, 8 for each of the other two.
package struct PackedVersion: Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    package var major: Int { Int(rawValue >> 16) }
    package var minor: Int { Int(rawValue >> 8 & 0xff) }
    package var patch: Int { Int(rawValue & 0xff) }
}

extension PackedVersion: Comparable, CustomStringConvertible {
    package static func < (left: PackedVersion, right: PackedVersion) -> Bool {
        left.rawValue < right.rawValue
    }

    /// `17.4`, with the third number only if it is not zero.
    package var description: String {
        patch == 0 ? "\(major).\(minor)" : "\(major).\(minor).\(patch)"
    }
}
