import Essentials

/// Builds a property list from the tags of an XML document.
struct XMLPropertyListReader {
    private var xml: XMLCursor
    private(set) var budget: ReadingBudget

    /// `isTranscoded` means that the document was converted from UTF-16, which its declaration may still
    /// state.
    init(_ document: [UInt8], budget: ReadingBudget, isTranscoded: Bool = false) {
        xml = XMLCursor(document, isTranscoded: isTranscoded)
        self.budget = budget
    }

    mutating func readDocument() throws(MalformedPropertyList) -> PropertyList {
        try xml.readProlog()
        let root = try xml.tag()
        guard root.element == .plist, root.form == .opening else {
            throw xml.refusal("does not begin with a plist element", at: root.place)
        }
        let value = try value(of: try xml.tag())
        try xml.closingTag(of: .plist)
        try xml.skipSpace()
        guard xml.isAtEnd else { throw xml.refusal("has more after its end") }
        return value
    }

    private mutating func value(of tag: XMLTag) throws(MalformedPropertyList) -> PropertyList {
        guard tag.form != .closing else {
            throw xml.refusal("lacks a value before “\(tag.element.name)” closes", at: tag.place)
        }
        try budget.visit()
        switch tag.element {
        case .dict: return try dictionary(tag)
        case .array: return try array(tag)
        case .string: return .string(try text(of: tag))
        case .true, .false:
            if tag.form == .opening { try xml.closingTag(of: tag.element) }
            return .boolean(tag.element == .true)
        case .data: return .data(try data(tag))
        case .integer, .real, .date: return try scalar(tag)
        case .plist, .key:
            throw xml.refusal("has “\(tag.element.name)” where a value belongs", at: tag.place)
        }
    }

    private mutating func array(_ tag: XMLTag) throws(MalformedPropertyList) -> PropertyList {
        guard tag.form == .opening else { return .array([]) }
        try budget.enterContainer()
        var array: [PropertyList] = []
        while true {
            let next = try xml.tag()
            if next.form == .closing, next.element == .array { break }
            array.append(try value(of: next))
        }
        budget.leaveContainer()
        return .array(array)
    }

    private mutating func dictionary(_ tag: XMLTag) throws(MalformedPropertyList) -> PropertyList {
        guard tag.form == .opening else { return .dictionary([:]) }
        try budget.enterContainer()
        // Room for what most small ones have, in one step.
        var dictionary: [String: PropertyList] = Dictionary(minimumCapacity: 3)
        while true {
            let next = try xml.tag()
            if next.form == .closing, next.element == .dict { break }
            guard next.element == .key, next.form != .closing else {
                throw xml.refusal("lacks a key", at: next.place)
            }
            try budget.visit()
            let key = try text(of: next)
            let value = try value(of: try xml.tag())
            if dictionary.updateValue(value, forKey: key) != nil {
                try budget.meet(repeated: key)
            }
        }
        budget.leaveContainer()
        return Self.reference(in: dictionary) ?? .dictionary(dictionary)
    }

    /// The UID for such a dictionary, in which CoreFoundation writes and reads it because XML has no
    /// element for it.
    private static func reference(in dictionary: [String: PropertyList]) -> PropertyList? {
        guard dictionary.count == 1 else { return nil }
        switch dictionary[PropertyList.uidKey] {
        case .integer(let value) where value >= 0: return .uid(UInt64(value))
        case .unsigned(let value): return .uid(value)
        default: return nil
        }
    }

    private mutating func text(of tag: XMLTag) throws(MalformedPropertyList) -> String {
        guard tag.form == .opening else { return "" }
        let start = xml.position
        let text = try xml.text()
        try budget.copy(xml.position - start)
        try xml.closingTag(of: tag.element)
        return text
    }

    private mutating func data(_ tag: XMLTag) throws(MalformedPropertyList) -> [UInt8] {
        guard tag.form == .opening else { return [] }
        let text = try xml.plainText()
        try budget.copy(text.count / 4 * 3)
        guard let data = Base64Digits.bytes(text) else {
            throw xml.refusal("has data that is not base64", at: text.startIndex)
        }
        try xml.closingTag(of: tag.element)
        return data
    }

    private mutating func scalar(_ tag: XMLTag) throws(MalformedPropertyList) -> PropertyList {
        let text = tag.form == .opening ? try xml.plainText() : []
        let scalar: PropertyList? =
            switch tag.element {
            case .integer: XMLScalar.integer(text)
            case .real: XMLScalar.real(text)
            default: CivilTime.date(spelled: XMLScalar.trimmed(text)).map { .date($0) }
            }
        guard let scalar else {
            let shown = String(decoding: text.prefix(256), as: UTF8.self)
            throw xml.refusal("has the \(tag.element.name) \(Quoted(shown))", at: tag.place)
        }
        try xml.closingTag(of: tag.element)
        return scalar
    }
}
