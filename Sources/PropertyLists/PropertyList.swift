package import Essentials

/// A property list: the tree that Apple's XML and binary forms both carry.
///
/// Keys compare as Swift strings do, so two spellings that Unicode calls canonically equivalent are
/// one key.
package enum PropertyList: Equatable, Sendable {
    case string(String)
    case integer(Int64)
    /// A whole number above `Int64.max`; smaller ones are always `integer`.
    case unsigned(UInt64)
    case real(Double)
    case boolean(Bool)
    /// A moment between the years 0 and 9999; the XML form keeps whole seconds.
    case date(Date)
    case data([UInt8])
    case array([PropertyList])
    case dictionary([String: PropertyList])
    /// A reference inside a keyed archive.
    case uid(UInt64)
}

extension PropertyList {
    /// The value under `key`; nil for a key that is absent and for anything but a dictionary.
    ///
    /// The key has to be the same bytes: what `WKApplication` means to a phone, it does not mean with
    /// U+212A, the sign for kelvins, in place of its K.
    package subscript(key: String) -> PropertyList? {
        guard let dictionary, let index = dictionary.index(forKey: key),
            dictionary[index].key.utf8.elementsEqual(key.utf8)
        else { return nil }
        return dictionary[index].value
    }

    package var string: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// A whole number that fits; a real or a boolean is not one.
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

    /// The elements of an array that holds nothing but strings.
    package var strings: [String]? {
        guard let array else { return nil }
        let strings = array.compactMap(\.string)
        return strings.count == array.count ? strings : nil
    }
}
