extension DeviceModel {
    /// One name per line, a colon, and the product types with that name.
    static let phones = """
        iPhone: iPhone1,1
        iPhone 3G: iPhone1,2
        iPhone 3GS: iPhone2,1
        iPhone 4: iPhone3,1 iPhone3,2 iPhone3,3
        iPhone 4s: iPhone4,1
        iPhone 5: iPhone5,1 iPhone5,2
        iPhone 5c: iPhone5,3 iPhone5,4
        iPhone 5s: iPhone6,1 iPhone6,2
        iPhone 6 Plus: iPhone7,1
        iPhone 6: iPhone7,2
        iPhone 6s: iPhone8,1
        iPhone 6s Plus: iPhone8,2
        iPhone SE: iPhone8,4
        iPhone 7: iPhone9,1 iPhone9,3
        iPhone 7 Plus: iPhone9,2 iPhone9,4
        iPhone 8: iPhone10,1 iPhone10,4
        iPhone 8 Plus: iPhone10,2 iPhone10,5
        iPhone X: iPhone10,3 iPhone10,6
        iPhone XS: iPhone11,2
        iPhone XS Max: iPhone11,4 iPhone11,6
        iPhone XR: iPhone11,8
        iPhone 11: iPhone12,1
        iPhone 11 Pro: iPhone12,3
        iPhone 11 Pro Max: iPhone12,5
        iPhone SE (2nd generation): iPhone12,8
        iPhone 12 mini: iPhone13,1
        iPhone 12: iPhone13,2
        iPhone 12 Pro: iPhone13,3
        iPhone 12 Pro Max: iPhone13,4
        iPhone 13 Pro: iPhone14,2
        iPhone 13 Pro Max: iPhone14,3
        iPhone 13 mini: iPhone14,4
        iPhone 13: iPhone14,5
        iPhone SE (3rd generation): iPhone14,6
        iPhone 14: iPhone14,7
        iPhone 14 Plus: iPhone14,8
        iPhone 14 Pro: iPhone15,2
        iPhone 14 Pro Max: iPhone15,3
        iPhone 15: iPhone15,4
        iPhone 15 Plus: iPhone15,5
        iPhone 15 Pro: iPhone16,1
        iPhone 15 Pro Max: iPhone16,2
        iPhone 16 Pro: iPhone17,1
        iPhone 16 Pro Max: iPhone17,2
        iPhone 16: iPhone17,3
        iPhone 16 Plus: iPhone17,4
        iPhone 16e: iPhone17,5
        iPhone 17 Pro: iPhone18,1
        iPhone 17 Pro Max: iPhone18,2
        iPhone 17: iPhone18,3
        iPhone Air: iPhone18,4
        iPhone 17e: iPhone18,5
        """
}
