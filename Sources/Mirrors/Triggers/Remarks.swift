import Bytes

/// A sync's remarks for the admin.
package struct Remarks {
    private var first: [String] = []
    private var rest: [String] = []
    private static let limit = 50

    package init() {}

    /// Adds a remark that comes before those about names that are merely unusual.
    package mutating func addFirst(_ remark: String) {
        first.append(remark)
    }

    package mutating func add(_ remark: String) {
        rest.append(remark)
    }

    /// The first ones only: thousands of refused names must not hide everything else that happens.
    package var bounded: [String] {
        let all = first + rest
        guard all.count > Self.limit else { return all }
        return all.prefix(Self.limit) + ["\((all.count - Self.limit).grouped) more of that kind"]
    }
}
