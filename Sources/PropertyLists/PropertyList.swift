package import Essentials

/// A property list: the tree that both Apple's XML and binary forms encode.
///
/// Keys compare as Swift strings, so two canonically equivalent spellings are one key.
package enum PropertyList: Equatable, Sendable {
    case string(String)
    case integer(Int64)
    /// An integer above `Int64.max`; others are always `integer`.
    case unsigned(UInt64)
    case real(Double)
    case boolean(Bool)
    /// A date in the years 0 to 9999; the XML form keeps whole seconds.
    case date(Date)
    case data([UInt8])
    case array([PropertyList])
    case dictionary([String: PropertyList])
    /// A reference in a keyed archive.
    case uid(UInt64)
}

extension PropertyList {
    /// The value for `key`; nil for an absent key and for anything but a dictionary.
    ///
    /// The key must have the same bytes: to a phone, `WKApplication` with U+212A (the kelvin sign) in
    /// place of its K is another key.
    package subscript(key: String) -> PropertyList? {
        guard let dictionary, let index = dictionary.index(forKey: key),
            dictionary[index].key.utf8.elementsEqual(key.utf8)
        else { return nil }
        return dictionary[index].value
    }

    package var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// An integer that fits `Int`; nil for a real or a boolean.
    package var integer: Int? {
        if case .integer(let value) = self { Int(exactly: value) } else { nil }
    }

    package var real: Double? {
        if case .real(let value) = self { value } else { nil }
    }

    package var boolean: Bool? {
        if case .boolean(let value) = self { value } else { nil }
    }

    package var date: Date? {
        if case .date(let value) = self { value } else { nil }
    }

    package var data: [UInt8]? {
        if case .data(let value) = self { value } else { nil }
    }

    package var array: [PropertyList]? {
        if case .array(let value) = self { value } else { nil }
    }

    package var dictionary: [String: PropertyList]? {
        if case .dictionary(let value) = self { value } else { nil }
    }

    /// The elements of an array that has only strings.
    package var strings: [String]? {
        guard let array else { return nil }
        let strings = array.compactMap(\.string)
        return strings.count == array.count ? strings : nil
    }
}
