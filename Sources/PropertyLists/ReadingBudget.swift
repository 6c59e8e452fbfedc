/// The remaining limits while a document is read.
struct ReadingBudget {
    private let limits: PropertyList.Limits
    private var objects: Int
    private var content: Int
    private var depth = 0
    /// Whether a key may occur twice in a dictionary; the last value is then used.
    private let toleratesRepeatedKeys: Bool
    /// The first few repeated keys.
    private(set) var repeatedKeys: [String] = []

    init(_ limits: PropertyList.Limits, toleratingRepeatedKeys: Bool = false) {
        self.limits = limits
        toleratesRepeatedKeys = toleratingRepeatedKeys
        objects = limits.objects
        content = limits.content
    }

    /// Deducts visits of keys and values before they are made.
    mutating func visit(_ count: Int = 1) throws(MalformedPropertyList) {
        guard count <= objects else {
            throw MalformedPropertyList(.tooManyObjects(limit: limits.objects))
        }
        objects -= count
    }

    /// Deducts bytes of text or data before they are copied.
    mutating func copy(_ count: Int) throws(MalformedPropertyList) {
        guard count <= content else {
            throw MalformedPropertyList(.tooMuchContent(limit: limits.content))
        }
        content -= count
    }

    mutating func meet(repeated key: String) throws(MalformedPropertyList) {
        guard toleratesRepeatedKeys else { throw MalformedPropertyList(.duplicateKey(key)) }
        if repeatedKeys.count < 8, !repeatedKeys.contains(key) { repeatedKeys.append(key) }
    }

    mutating func enterContainer() throws(MalformedPropertyList) {
        guard depth < limits.depth else {
            throw MalformedPropertyList(.tooDeep(limit: limits.depth))
        }
        depth += 1
    }

    mutating func leaveContainer() {
        depth -= 1
    }
}
